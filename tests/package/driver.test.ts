import fs from "node:fs";
import path from "node:path";
import type { Iteration } from "@a5c-ai/babysitter-sdk";
import { describe, expect, it } from "vitest";
import { journalOf, processFolder } from "../fixtures/package/process-folder.js";
import { sdk } from "../fixtures/package/sdk.js";

const { BabysitterError, commitEffectResult, createRun, openRun, orchestrateIteration, readRunStatus } = sdk;

const STEPS = `import { defineTask } from "@a5c-ai/babysitter-sdk";
const step = defineTask("step", (args) => ({ kind: "agent", title: "Step " + args.n, agent: { prompt: String(args.n) } }));
export async function process(inputs, ctx) {
  const results = [];
  for (let n = 1; n <= inputs.steps; n++) {
    results.push(await ctx.task(step, { n, roll: Math.random() }, { label: "n" + n }));
    ctx.log("step " + n);
  }
  return { results, id: crypto.randomUUID(), run: ctx.runId };
}
`;

/** The code of the error that a call ends with, or what it answered. */
async function codeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return error.code;
  }
}

function make(
  dir: string,
  runId: string,
  inputs: unknown,
  file = "steps.mjs",
): Promise<{ runId: string; runDir: string }> {
  return createRun({
    runsDir: path.join(dir, "runs"),
    runId,
    request: "req",
    process: { processId: "api/steps", importPath: path.join(dir, file), exportName: "process" },
    inputs,
  });
}

describe("the programmatic API", () => {
  it("C20: createRun, orchestrateIteration and commitEffectResult have the shapes that scripts rely on", async () => {
    const dir = processFolder({ "steps.mjs": STEPS });
    const created = await make(dir, "r", { steps: 1 });
    expect(created).toEqual({ runId: "r", runDir: path.join(dir, "runs", "r") });
    const { runDir } = created;
    const waiting = await orchestrateIteration({ runDir });
    expect(waiting.status).toBe("waiting");
    expect(waiting.nextActions).toEqual([
      {
        effectId: expect.stringMatching(/^effect-/) as string,
        invocationKey: "step:1",
        kind: "agent",
        label: "n1",
        taskId: "step",
        title: "Step 1",
        stepId: expect.stringMatching(/^S\d+$/) as string,
        taskDef: { kind: "agent", title: "Step 1", agent: { prompt: "1" } },
        requestedAt: expect.any(String) as string,
        attempt: 1,
      },
    ]);
    const effectId = waiting.nextActions[0]?.effectId ?? "";
    expect(
      await commitEffectResult({ runDir, effectId, result: { status: "ok", value: { fine: true } } }),
    ).toMatchObject({
      outcome: "committed",
      effectId,
      recorded: { status: "ok", value: { fine: true } },
    });
    expect(await readRunStatus({ runDir })).toMatchObject({ state: "running", needsMoreIterations: true });
    const completed = await orchestrateIteration({ runDir });
    expect(completed).toMatchObject({
      status: "completed",
      nextActions: [],
      output: { results: [{ fine: true }], run: "r" },
    });
    expect(await readRunStatus({ runDir })).toMatchObject({
      state: "completed",
      completionProof: completed.completionProof,
    });
    const journal = journalOf(runDir);
    expect(await orchestrateIteration({ runDir })).toMatchObject({ status: "completed", reason: "terminal-state" });
    expect(journalOf(runDir)).toEqual(journal);
  });

  it("C20: failures are errors with the documented codes, and change nothing", async () => {
    const dir = processFolder({ "steps.mjs": STEPS });
    const { runDir } = await make(dir, "r", { steps: 1 });
    const { nextActions } = await orchestrateIteration({ runDir });
    const effectId = nextActions[0]?.effectId ?? "";
    const journal = journalOf(runDir);
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const commit = (more: object): Promise<unknown> =>
      codeOf(commitEffectResult({ runDir, effectId, result: { status: "ok", value: 1 }, ...more }));
    expect(await codeOf(make(dir, "r", {}))).toBe("RUN_EXISTS");
    expect(await codeOf(make(dir, "a\0b", {}))).toBe("INVALID_ID");
    expect(await codeOf(make(dir, "../x", {}))).toBe("INVALID_ID");
    expect(await codeOf(make(dir, "x", circular))).toBe("VALUE_NOT_JSON");
    expect(await codeOf(make(dir, "x", {}, "gone.mjs"))).toBe("ENTRY_NOT_FOUND");
    expect(await codeOf(orchestrateIteration({ runDir: "" }))).toBe("USAGE");
    expect(await codeOf(orchestrateIteration({ runDir: path.join(dir, "runs", "none") }))).toBe("RUN_NOT_FOUND");
    expect(await codeOf(openRun({ runDir: path.join(dir, "runs", "none") }))).toBe("RUN_NOT_FOUND");
    expect(await commit({ effectId: "effect-none" })).toBe("EFFECT_NOT_FOUND");
    expect(await commit({ effectId: "constructor" })).toBe("EFFECT_NOT_FOUND");
    expect(await commit({ effectId: "a/../b" })).toBe("INVALID_ID");
    expect(await commit({ invocationKey: "other:1" })).toBe("INVOCATION_KEY_MISMATCH");
    expect(await commit({ attempt: 3 })).toBe("ATTEMPT_STALE");
    expect(await commit({ result: { status: "ok", value: circular } })).toBe("VALUE_NOT_JSON");
    expect(await commit({ result: { status: "ok", value: 1n } })).toBe("VALUE_NOT_JSON");
    expect(await commit({ result: { status: "done" } })).toBe("USAGE");
    expect(journalOf(runDir)).toEqual(journal);
    expect(fs.readdirSync(path.join(dir, "runs"))).toEqual(["r"]);
    expect(await commit({})).toMatchObject({ outcome: "committed" });
    expect(await commit({})).toMatchObject({ outcome: "duplicate", recorded: { value: 1 } });
    expect(await commit({ result: { status: "ok", value: 2 } })).toBe("EFFECT_ALREADY_RESOLVED");
  });

  it("C20: an Error given as a result is thrown in the process, and a failed run is an answer", async () => {
    const dir = processFolder({ "steps.mjs": STEPS });
    const { runDir } = await make(dir, "r", { steps: 1 });
    const { nextActions } = await orchestrateIteration({ runDir });
    const error = Object.assign(new RangeError("too far"), { code: "E_FAR", data: { km: 3 } });
    const effectId = nextActions[0]?.effectId ?? "";
    await commitEffectResult({ runDir, effectId, result: { status: "error", error } });
    const failed = await orchestrateIteration({ runDir });
    expect(failed).toMatchObject({
      status: "failed",
      error: { name: "RangeError", message: "too far", code: "E_FAR", data: { km: 3 } },
    });
    expect(await orchestrateIteration({ runDir })).toMatchObject({ status: "failed", reason: "terminal-state" });
    const again = await orchestrateIteration({ runDir, retry: true });
    expect(again).toMatchObject({ status: "waiting", reason: "agent-pending", nextActions: [{ effectId }] });
  });

  it("C12 C20: a divergence is told in the same way each time it is met", async () => {
    const dir = processFolder({ "steps.mjs": STEPS });
    const { runDir } = await make(dir, "r", { steps: 2 });
    await orchestrateIteration({ runDir });
    fs.writeFileSync(path.join(dir, "steps.mjs"), STEPS.replace('defineTask("step"', 'defineTask("other"'));
    const meet = async (): Promise<unknown> => {
      const met = await codeOf(orchestrateIteration({ runDir }));
      return typeof met === "string"
        ? { thrown: met }
        : { answered: ((met as Iteration).error as { code?: string }).code };
    };
    const first = await meet();
    expect(Object.values(first as object)).toEqual(["RUN_DIVERGED"]);
    expect(await meet()).toEqual(first);
    fs.writeFileSync(path.join(dir, "steps.mjs"), STEPS);
    expect(await orchestrateIteration({ runDir })).toMatchObject({
      status: "waiting",
      nextActions: [{ taskId: "step" }],
    });
  });

  it("C20 R8 R9: thirty runs in one program at once keep to themselves, hot or cold", async () => {
    const dir = processFolder({ "steps.mjs": STEPS });
    const drive = async (index: number): Promise<Iteration> => {
      const { runDir } = await make(dir, `r${index}`, { steps: 3 });
      const hot = index % 2 === 0 ? await openRun({ runDir }) : undefined;
      for (;;) {
        const iteration = await (hot?.iterate() ?? orchestrateIteration({ runDir }));
        if (iteration.status !== "waiting") {
          await hot?.close();
          return iteration;
        }
        for (const { effectId, label } of iteration.nextActions) {
          const result = { status: "ok" as const, value: `${index} ${label}` };
          await (hot?.post(effectId, result) ?? commitEffectResult({ runDir, effectId, result }));
        }
      }
    };
    const all = await Promise.all(Array.from({ length: 30 }, (_, index) => drive(index)));
    for (const [index, { status, output }] of all.entries()) {
      expect([status, output]).toEqual([
        "completed",
        {
          results: [1, 2, 3].map((n) => `${index} n${n}`),
          id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          run: `r${index}`,
        },
      ]);
    }
    expect(new Set(all.map(({ output }) => (output as { id: string }).id)).size).toBe(30);
    expect(new Set(all.map(({ completionProof }) => completionProof)).size).toBe(30);
    // A cold replay of the whole journal in a new program state agrees with what was driven hot.
    const copy = path.join(dir, "runs", "r0");
    fs.rmSync(path.join(copy, "state"), { recursive: true });
    expect(await readRunStatus({ runDir: copy })).toMatchObject({ state: "completed", iterationCount: 4 });
  });

  it("C20: openRun keeps the process alive between iterations, sees what others post, and leaves nothing behind", async () => {
    const dir = processFolder({
      "count.mjs": `let started = 0;
export async function process(inputs, ctx) {
  started += 1;
  const seen = [];
  for (const id of ["a", "b", "c"]) { await ctx.task({ kind: "agent", id }); seen.push(started); }
  return { seen };
}`,
    });
    const { runDir } = await make(dir, "r", {}, "count.mjs");
    const run = await openRun({ runDir });
    expect(run).toMatchObject({ runId: "r", runDir });
    const effect = async (): Promise<string> => (await run.iterate()).nextActions[0]?.effectId ?? "";
    expect(await run.post(await effect(), { status: "ok", value: 1 })).toMatchObject({ outcome: "committed" });
    await commitEffectResult({ runDir, effectId: await effect(), result: { status: "ok" } });
    await run.post(await effect(), { status: "ok" });
    expect(await run.iterate()).toMatchObject({ status: "completed", output: { seen: [1, 1, 1] } });
    await run.close();
    expect(await orchestrateIteration({ runDir })).toMatchObject({ status: "completed" });
  });

  it("C8 C10 C20: a clock and hooks can be given", async () => {
    const dir = processFolder({
      "p.mjs": `export async function process(inputs, ctx) {
  const said = await ctx.hook("on-score", { n: 1 });
  await ctx.sleepUntil("2030-01-01T00:00:00Z");
  return said;
}`,
    });
    const { runDir } = await make(dir, "r", {}, "p.mjs");
    const calls: unknown[] = [];
    const hooks = {
      run: async (call: { hookType: string; payload: unknown }) => {
        calls.push(call);
        return { hookType: call.hookType, success: true, output: { ok: 1 }, executedHooks: ["mine"] };
      },
    };
    const at = (time: string) => ({ runDir, hooks, clock: { now: () => new Date(time) } });
    expect(await orchestrateIteration(at("2029-12-31T23:59:59Z"))).toMatchObject({
      status: "waiting",
      nextActions: [{ kind: "sleep", until: "2030-01-01T00:00:00.000Z" }],
    });
    expect(await orchestrateIteration(at("2029-12-31T23:59:59.999Z"))).toMatchObject({
      status: "waiting",
      reason: "sleep-waiting",
    });
    expect(await orchestrateIteration(at("2030-01-01T00:00:00Z"))).toMatchObject({
      status: "completed",
      output: { hookType: "on-score", success: true, output: { ok: 1 }, executedHooks: ["mine"] },
    });
    expect(calls).toMatchObject([{ hookType: "on-score", payload: { n: 1 }, runId: "r" }]);
  });
});
