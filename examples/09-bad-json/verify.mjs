import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { allEnded, typesOf, verify } from "../verify-kit.mjs";

await verify(import.meta.dirname, async (example) => {
  await allEnded([careful(example), sleepy(example)]);
});

function agentOf({ folder }) {
  return JSON.stringify([process.execPath, path.join(folder, "agent.mjs")]);
}

async function careful(example) {
  const run = await example.run(["process.mjs", "--agent-command", agentOf(example)]);
  assert.deepEqual(run.output, { bugs: ["a hole behind the third lamp"] });
  const events = await example.events(run);
  assert.deepEqual(
    typesOf(events, /^review:1$/u),
    ["EFFECT_REQUESTED", "EFFECT_STARTED", "EFFECT_RESOLVED"],
    "both answers belong to one attempt",
  );
  const { effectId } = events.find(({ invocationKey }) => invocationKey === "review:1");
  const secondPrompt = await readFile(path.join(run.runDir, "tasks", effectId, "prompt.repair.md"), "utf8");
  assert.match(secondPrompt, /a hole behind the third\n[\s\S]*What was wrong with it:\n\n- \S/u);
}

async function sleepy(example) {
  const inputs = path.join(example.runsDir, "inputs.json");
  await writeFile(inputs, JSON.stringify({ reviewer: "sleepy" }));
  const options = ["--run-id", "sleepy", "--inputs", inputs, "--agent-command", agentOf(example)];
  const asked = await example.run(["process.mjs", ...options], { exit: 3 });
  assert.equal(asked.waitingFor[0].title, "Open the harbour without a review?");
  const failed = (await example.events(asked)).find(({ payload }) => payload.status === "error");
  assert.equal(failed.payload.error.code, "AGENT_ANSWER_INVALID");
  await example.answer(asked, { approved: true });
  const run = await example.run(["sleepy"]);
  assert.deepEqual(run.output, { bugs: null, open: true });
}
