/** The same workload on the public reference implementation, installed in a temporary folder. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const PEER = "@a5c-ai/babysitter-sdk@0.0.187";

const PROCESS = `
import { defineTask } from "@a5c-ai/babysitter-sdk";
const step = defineTask("step", ({ n }) => ({ kind: "node", title: "step", node: { entry: "x.js" } }));
export async function process(inputs, ctx) {
  let sum = 0;
  for (let n = 0; n < inputs.steps; n += 1) sum += await ctx.task(step, { n });
  return sum;
}
`;

const DRIVER = `
import { commitEffectResult, createRun, orchestrateIteration } from "@a5c-ai/babysitter-sdk";
const steps = Number(globalThis.process.argv[2]);
const { runDir } = await createRun({
  runsDir: "runs", runId: "peer-" + steps, request: "bench",
  process: { processId: "bench", importPath: globalThis.process.cwd() + "/steps.mjs", exportName: "process" },
  inputs: { steps },
});
const began = performance.now();
let done = 0;
for (;;) {
  const step = await orchestrateIteration({ runDir });
  if (step.status === "completed") break;
  if (step.status === "failed") throw new Error(JSON.stringify(step.error));
  for (const action of step.nextActions) {
    await commitEffectResult({ runDir, effectId: action.effectId, result: { status: "ok", value: done } });
    done += 1;
  }
}
console.log(JSON.stringify({ ms: performance.now() - began }));
`;

/** Milliseconds of a whole run with `steps` sequential steps; undefined when it has not ended within `longestMs`. */
export async function measurePeer(work, steps, longestMs) {
  const dir = path.join(work, "peer");
  const env = { PATH: process.env.PATH, HOME: path.join(work, "home") };
  if (!fs.existsSync(dir)) {
    fs.mkdirSync(dir, { recursive: true });
    fs.mkdirSync(env.HOME, { recursive: true });
    fs.writeFileSync(path.join(dir, "package.json"), JSON.stringify({ private: true, type: "module" }));
    fs.writeFileSync(path.join(dir, "steps.mjs"), PROCESS);
    fs.writeFileSync(path.join(dir, "drive.mjs"), DRIVER);
    const installed = spawnSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", PEER], {
      cwd: dir,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (installed.status !== 0) throw new Error(`cannot install ${PEER}`);
  }
  const child = spawnSync(process.execPath, ["drive.mjs", String(steps)], {
    cwd: dir,
    env,
    encoding: "utf8",
    timeout: longestMs,
  });
  if (child.error?.code === "ETIMEDOUT") return undefined;
  if (child.status !== 0) throw new Error(`the reference implementation failed: ${child.stderr.slice(-500)}`);
  return JSON.parse(child.stdout.trim().split("\n").at(-1)).ms;
}
