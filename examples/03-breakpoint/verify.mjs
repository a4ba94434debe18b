import assert from "node:assert/strict";
import { allEnded, verify } from "../verify-kit.mjs";

const SHORT = "Soup on Saturday. Come!";

await verify(import.meta.dirname, async (example) => {
  await allEnded([answeredFromOutside(example), rejectedByPolicy(example), carelessProcess(example)]);
});

async function answeredFromOutside(example) {
  const asked = await example.run(["process.mjs", "--run-id", "outside"], { exit: 3 });
  assert.equal(asked.state, "waiting");
  const [{ kind, title }] = asked.waitingFor;
  assert.deepEqual({ kind, title }, { kind: "breakpoint", title: "Send this invitation?" });
  await example.answer(asked, { approved: false, feedback: "shorter" });

  const askedAgain = await example.run(["outside"], { exit: 3 });
  await example.answer(askedAgain, { approved: true });

  const { output } = await example.run(["outside"]);
  assert.deepEqual(output, { sent: SHORT, round: 2, by: "someone" });
}

async function rejectedByPolicy(example) {
  const run = await example.run(["process.mjs", "--breakpoint-policy", "reject:nightly"]);
  assert.deepEqual(run.output, { sent: null, round: 3 });
  const answers = (await example.events(run))
    .filter(({ type, taskId }) => type === "EFFECT_RESOLVED" && taskId === "breakpoint")
    .map(({ payload }) => payload.result.value);
  assert.equal(answers.length, 3);
  for (const { approved, respondedBy, via } of answers)
    assert.deepEqual({ approved, respondedBy, via }, { approved: false, respondedBy: "policy:nightly", via: "policy" });
}

async function carelessProcess(example) {
  const run = await example.run(["process.mjs#careless", "--breakpoint-policy", "reject"], { exit: 10 });
  assert.equal(run.state, "failed");
  assert.equal(run.error.code, "BREAKPOINT_REJECTED");
}
