import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { seqsOf, typesOf, verify } from "../verify-kit.mjs";

await verify(import.meta.dirname, async (example) => {
  const run = await example.run(["process.mjs", "--breakpoint-policy", "approve:demo"]);

  // Counted here too, so that the letters may be changed.
  const read = (letter) => readFile(path.join(example.folder, "letters", letter), "utf8");
  const texts = await Promise.all(["to-the-lighthouse.txt", "to-the-harbour.txt"].map(read));
  const words = texts.join(" ").trim().split(/\s+/u).length;
  const { file, ...rest } = run.output;
  assert.deepEqual(rest, { published: true, words });
  assert.ok(file.endsWith(path.join(path.basename(run.runDir), "artifacts", "summary.md")), file);
  const summary = await readFile(path.join(run.runDir, "artifacts/summary.md"), "utf8");
  assert.match(summary, /\| to-the-lighthouse\.txt \| \d+ \| \d+ \|\n\| to-the-harbour\.txt \|/u);

  const events = await example.events(run);
  const requested = seqsOf(events, "EFFECT_REQUESTED", /^par1/u);
  const [firstStart] = seqsOf(events, "EFFECT_STARTED", /^par1/u);
  assert.equal(requested.length, 3, "three tasks are in the batch");
  assert.ok(Math.max(...requested) < firstStart, "all three are asked for before the first one starts");
  assert.deepEqual(typesOf(events, /^sleep/u), ["EFFECT_REQUESTED", "EFFECT_RESOLVED"]);
  const answer = events.find(
    ({ type, invocationKey }) => type === "EFFECT_RESOLVED" && invocationKey === "breakpoint:1",
  );
  assert.equal(answer.payload.result.value.respondedBy, "policy:demo");
  // Hooks that the project has are called afterwards.
  assert.equal(events.findLast(({ type }) => type !== "HOOK_DISPATCHED").type, "RUN_COMPLETED");
});
