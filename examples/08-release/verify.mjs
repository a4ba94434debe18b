import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { allEnded, seqsOf, typesOf, verify } from "../verify-kit.mjs";

await verify(import.meta.dirname, async (example) => {
  await allEnded([released(example), rejected(example), notReady(example)]);
});

async function released(example) {
  const asked = await example.run(["process.mjs", "--run-id", "good"], { exit: 3 });
  assert.equal(asked.waitingFor[0].title, "Release 1.1.0?");
  const notes = await readFile(path.join(asked.runDir, "artifacts", "notes.md"), "utf8");
  assert.match(notes, /^# 1\.1\.0\n\n- Prices are rounded to the cent\.\n- The basket survives a reload\.\n$/u);
  const shown = await example.ask(["breakpoint:show", asked.waitingFor[0].effectId]);
  assert.match(JSON.stringify(shown), /The basket survives a reload/u, "the question shows the notes");
  await example.answer(asked, { approved: true });

  const run = await example.run(["good"]);
  assert.deepEqual(run.output, { released: "1.1.0", address: "https://shop.example/1.1.0" });
  const events = await example.events(run);
  const [firstStart] = seqsOf(events, "EFFECT_STARTED", /^par1/u);
  assert.ok(Math.max(...seqsOf(events, "EFFECT_REQUESTED", /^par1/u)) < firstStart, "the checks are asked for at once");
  const failure = ["EFFECT_STARTED", "EFFECT_ATTEMPT_FAILED"];
  assert.deepEqual(
    typesOf(events, /^upload:1$/u),
    ["EFFECT_REQUESTED", ...failure, ...failure, "EFFECT_STARTED", "EFFECT_RESOLVED"],
    "the upload works the third time",
  );
}

async function rejected(example) {
  const asked = await example.run(["process.mjs", "--run-id", "late"], { exit: 3 });
  await example.answer(asked, { approved: false, feedback: "not on a Friday" });
  const run = await example.run(["late"]);
  assert.deepEqual(run.output, { released: null, because: "not on a Friday" });
  assert.deepEqual(typesOf(await example.events(run), /^upload/u), [], "nothing is uploaded");
}

async function notReady(example) {
  const inputs = path.join(example.runsDir, "inputs.json");
  await writeFile(inputs, JSON.stringify({ version: "2.0.0" }));
  const run = await example.run(["process.mjs", "--run-id", "early", "--inputs", inputs], { exit: 1 });
  assert.equal(run.error.message, "2.0.0 is not ready: changelog");
}
