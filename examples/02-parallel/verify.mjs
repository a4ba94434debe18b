import assert from "node:assert/strict";
import { seqsOf, verify } from "../verify-kit.mjs";

await verify(import.meta.dirname, async (example) => {
  const run = await example.run(["process.mjs", "--concurrency", "8"]);
  assert.deepEqual(run.output, {
    all: ["piano", "lamp", "cat"],
    mapped: ["books", "plates", "chairs", "curtains"],
    first: "letter",
    broken: "The vase broke.",
    settled: ["rejected", "fulfilled"],
  });

  const events = await example.events(run);
  const requests = (batch) => seqsOf(events, "EFFECT_REQUESTED", batch);
  const results = (batch) => seqsOf(events, "EFFECT_RESOLVED", batch);

  assert.ok(Math.max(...requests(/^par1/u)) < Math.min(...results(/^par1/u)), "a batch is asked for at once");
  const [piano] = results(/^par1\[0\]/u);
  assert.ok(piano === Math.max(...results(/^par1/u)), "the piano comes last and stays first in the list");

  const [, , third] = requests(/^par2/u);
  assert.ok(third > Math.min(...results(/^par2/u)), "the third of a map waits until one of two has ended");

  assert.deepEqual(results(/^par3\[0\]/u), [], "the race does not wait for the snail");

  const [next] = requests(/^par5/u);
  assert.ok(next > Math.max(...results(/^par4/u)), "the failure is thrown after the rest of its batch");
});
