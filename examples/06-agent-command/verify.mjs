import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { verify } from "../verify-kit.mjs";

await verify(import.meta.dirname, async (example) => {
  // The list form: no quoting to think about, whatever the path of this folder is.
  const agent = JSON.stringify([process.execPath, path.join(example.folder, "agent.mjs")]);

  const waiting = await example.run(["process.mjs", "--run-id", "boat"], { exit: 3 });
  assert.equal(waiting.waitingFor[0].kind, "agent");

  const run = await example.run(["boat", "--agent-command", agent]);
  assert.deepEqual(run.output, { painted: "Duckweed (She is green and stays on top of the pond.)" });

  const [{ effectId }] = waiting.waitingFor;
  const repairPrompt = await readFile(path.join(run.runDir, "tasks", effectId, "prompt.repair.md"), "utf8");
  assert.match(repairPrompt, /Her Majesty the Unsinkable/u);
  const results = (await example.events(run)).filter(({ type }) => type === "EFFECT_RESOLVED");
  assert.equal(results.length, 1, "both tries are one attempt with one result");
});
