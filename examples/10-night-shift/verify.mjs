import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { seqsOf, typesOf, verify } from "../verify-kit.mjs";

await verify(import.meta.dirname, async (example) => {
  const inputs = path.join(example.runsDir, "inputs.json");
  await writeFile(inputs, JSON.stringify({ breakMs: 1500 }));

  const stopped = await example.interrupt(
    ["process.mjs", "--inputs", inputs, "--run-id", "night", "--concurrency", "8"],
    ({ taskId }) => taskId === "sleep",
  );
  assert.equal(stopped.state, "interrupted");

  const run = await example.run(["night"]);
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  const total = numbers.reduce((sum, parcel) => sum + (parcel % 9) + 1, 0);
  const { signature, ...output } = run.output;
  assert.deepEqual(output, { parcels: 200, total });
  assert.equal(signature.signedBy, "the night porter");

  const events = await example.events(run);
  const requests = seqsOf(events, "EFFECT_REQUESTED", /^par1/u);
  assert.equal(requests.length, 200, "each parcel is asked for once");
  assert.ok(
    Math.max(...requests) < Math.min(...seqsOf(events, "EFFECT_STARTED", /^par1/u)),
    "all are asked for at once",
  );
  assert.equal(seqsOf(events, "EFFECT_RESOLVED", /^par1/u).length, 200, "each parcel is weighed once");
  assert.deepEqual(typesOf(events, /^sleep:1$/u), ["EFFECT_REQUESTED", "EFFECT_RESOLVED"]);

  const lines = (await readFile(path.join(run.runDir, "artifacts", "shifts.txt"), "utf8")).trim().split("\n");
  assert.deepEqual(
    lines.map((line) => line.split(" ")[0]),
    ["begin", "end"],
    "every hook is called once",
  );
  assert.match(lines[1], new RegExp(`"total":\\s*${total}\\b`, "u"));
});
