import { expect, test } from "vitest";
import { work } from "../../../../tests/fixtures/replay/journal-views.js";
import type { EffectId } from "../model/ids.js";
import type { PendingEffect, RunSummary } from "../model/run-state.js";
import type { ProcessContext } from "../replay/process-context.js";
import { recordFailedAttempt } from "../runs/attempts.js";
import { createTestRun } from "../testing/index.js";
import { type PlanInput, planNext } from "./plan.js";

const NOW = Date.parse("2026-01-01T00:00:00Z");

function effect(name: string, fields: Partial<PendingEffect> = {}): PendingEffect {
  const effectId = name as EffectId;
  const request = { seq: 1, id: "x" };
  return {
    effectId,
    invocationKey: name,
    taskId: name,
    kind: "shell",
    requestedAt: "",
    attempt: 1,
    request,
    ...fields,
  };
}

function situation(pending: PendingEffect[], more: Partial<PlanInput> = {}): PlanInput {
  const summary = {
    pending: Object.fromEntries(pending.map((one) => [one.effectId, one])),
    lastResolution: 5,
    processHead: 4,
    newestAt: new Date(NOW).toISOString(),
    created: { semantics: 2 },
  } as unknown as RunSummary;
  return {
    summary,
    nowMs: NOW,
    running: new Set(),
    concurrency: 2,
    kinds: new Set(["shell"]),
    seenResolution: 5,
    seenProcessHead: 4,
    ...more,
  };
}

const names = (effects: PendingEffect[]): string[] => effects.map(({ effectId }) => effectId);

test("tasks begin in the order they were asked for, up to the limit, running ones counted", () => {
  const pending = ["a", "b", "c", "d"].map((name) => effect(name));
  expect(names(planNext(situation(pending)).start)).toEqual(["a", "b"]);
  expect(names(planNext(situation(pending, { running: new Set(["a"]) })).start)).toEqual(["b"]);
  expect(names(planNext(situation(pending, { running: new Set(["a", "b"]) })).start)).toEqual([]);
});

test("a task that waits for its next attempt takes no place and says when it is due", () => {
  const later = new Date(NOW + 500).toISOString();
  const plan = planNext(situation([effect("a", { notBefore: later }), effect("b"), effect("c")]));
  expect(names(plan.start)).toEqual(["b", "c"]);
  expect(plan.wakeAtMs).toBe(NOW + 500);
});

test("sleeps are due or say when; the earliest counts", () => {
  const sleep = (name: string, ms: number): PendingEffect =>
    effect(name, { kind: "sleep", until: new Date(NOW + ms).toISOString() });
  expect(planNext(situation([sleep("a", 900), sleep("b", 300)]))).toMatchObject({ due: false, wakeAtMs: NOW + 300 });
  expect(planNext(situation([sleep("a", 900), sleep("b", 0)]))).toMatchObject({ due: true, wakeAtMs: NOW + 900 });
});

test("questions are set apart, and kinds that nobody here can do are left alone", () => {
  const plan = planNext(situation([effect("q", { kind: "breakpoint" }), effect("x", { kind: "dance" })]));
  expect([names(plan.questions), plan.start]).toEqual([["q"], []]);
});

test.each([
  ["nothing", {}, false],
  ["a result", { seenResolution: 4 }, true],
  ["an event of the process's side that this process did not write", { seenProcessHead: 3 }, true],
])("news for the process: %s", (_what, more, news) => {
  expect(planNext(situation([], more)).news).toBe(news);
});

test("a task that failed while the clock was 1,000 days ahead is tried again after its pause, not in years", async () => {
  const start = Date.parse("2026-05-01T08:00:00Z");
  const ahead = start + 1_000 * 86_400_000;
  const run = await createTestRun({
    now: start,
    process: (_: never, ctx: ProcessContext) => ctx.task(work, {}),
  });
  const [task] = (await run.iterate()).nextActions;
  run.clock.set(ahead);
  await recordFailedAttempt(await run.journal(), task?.effectId as EffectId, {
    attempt: 1,
    reason: "failed",
    error: { name: "Error", message: "boom" },
    nextAttempt: 2,
    notBefore: new Date(ahead + 5_000).toISOString(),
  });
  await run.restart();
  const planAt = async (nowMs: number) =>
    planNext(situation([], { summary: (await run.journal()).summary, nowMs, kinds: new Set(["node"]) }));
  expect(await planAt(start)).toMatchObject({ due: true, start: [] });
  run.clock.set(start);
  await run.iterate();
  expect(await planAt(start)).toMatchObject({ due: false, start: [], wakeAtMs: start + 5_000 });
  expect((await planAt(start + 5_000)).start).toHaveLength(1);
});
