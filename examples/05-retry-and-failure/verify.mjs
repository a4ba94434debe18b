import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { typesOf, verify } from "../verify-kit.mjs";

await verify(import.meta.dirname, async (example) => {
  const failed = await example.run(["process.mjs", "--run-id", "ferry"], { exit: 1 });
  assert.equal(failed.state, "failed");
  assert.match(failed.error.message, /^There is no ticket\. Buy one: touch/u);

  await writeFile(path.join(failed.runDir, "artifacts", "ticket.txt"), "");
  const run = await example.run(["ferry", "--retry"]);
  assert.deepEqual(run.output, {
    call: { attempt: 3, heard: "loud and clear" },
    noTide: { code: "TASK_FAILED", exitCode: 4, stderr: "no tide tables for today" },
    fog: { success: false, exitCode: 1 },
    asleep: "TASK_TIMEOUT",
    seat: "by the window",
  });

  const events = await example.events(run);
  const attempt = ["EFFECT_STARTED", "EFFECT_ATTEMPT_FAILED"];
  assert.deepEqual(
    typesOf(events, /^radio:1$/u),
    ["EFFECT_REQUESTED", ...attempt, ...attempt, "EFFECT_STARTED", "EFFECT_RESOLVED"],
    "the radio is tried three times, before and not after the run was continued",
  );
  const pauses = events
    .filter(({ type }) => type === "EFFECT_ATTEMPT_FAILED")
    .map(({ payload, timestamp }) => Date.parse(payload.notBefore) > Date.parse(timestamp));
  assert.deepEqual(pauses, [true, true], "there is a pause before each further attempt");
  assert.deepEqual(
    typesOf(events, /^ticket:1$/u).slice(-4),
    ["EFFECT_RETRIED", "EFFECT_REQUESTED", "EFFECT_STARTED", "EFFECT_RESOLVED"],
    "the failed step is asked for again, by today's code",
  );
});
