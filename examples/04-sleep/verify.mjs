import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { typesOf, verify } from "../verify-kit.mjs";

await verify(import.meta.dirname, async (example) => {
  const inputs = path.join(example.runsDir, "inputs.json");
  await writeFile(inputs, JSON.stringify({ drawMs: 1500, coolMs: 200 }));

  const stopped = await example.interrupt(
    ["process.mjs", "--inputs", inputs, "--run-id", "tea"],
    ({ taskId }) => taskId === "sleep",
  );
  assert.equal(stopped.state, "interrupted");

  const run = await example.run(["tea"]);
  assert.deepEqual(run.output, { drewLongEnough: true, isDrinkable: true });

  const events = await example.events(run);
  const once = ["EFFECT_REQUESTED", "EFFECT_RESOLVED"];
  assert.deepEqual(typesOf(events, /^sleep:1$/u), once, "the interrupted sleep is asked for once");
  assert.deepEqual(typesOf(events, /^sleep:2$/u), once);
  const [request, result] = events.filter(({ invocationKey }) => invocationKey === "sleep:1");
  const { targetEpochMs } = request.payload.definition.value.sleep;
  assert.ok(Date.parse(result.timestamp) >= targetEpochMs, "nobody is woken too early");
});
