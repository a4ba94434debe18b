import type { ProcessContext } from "@a5c-ai/babysitter-sdk";
import { describe, expect, it } from "vitest";
import { sdk, testing } from "../fixtures/package/sdk.js";

const { defineTask } = sdk;
const { createTestRun, SettableClock } = testing;

const work = defineTask<{ day: number }, string>("work", ({ day }) => ({
  kind: "agent",
  agent: { prompt: `day ${day}` },
}));

async function week(inputs: { days: number }, ctx: ProcessContext): Promise<unknown> {
  const done: string[] = [];
  for (let day = 1; day <= inputs.days; day += 1) {
    done.push(await ctx.task(work, { day }));
    await ctx.sleep(24 * 3_600_000);
  }
  const { approved } = await ctx.breakpoint("Ship?");
  return { done, approved, until: ctx.now().toISOString() };
}

describe("the test kit", () => {
  it("C25: a result for what nobody has asked for is refused with what is open", async () => {
    const run = await createTestRun({ process: week, inputs: { days: 1 } });
    await run.iterate();
    for (const name of ["wrok:1", "work"])
      await expect(run.post(name, { status: "ok", value: 1 })).rejects.toMatchObject({
        code: "EFFECT_NOT_FOUND",
        message: expect.stringContaining(name),
        hint: "Open requests: work:1",
      });
    await run.post("work:1", { status: "ok", value: 1 });
    expect(await run.post("work:1", { status: "ok", value: 1 })).toMatchObject({ outcome: "duplicate" });
    await expect(run.post("wrok:1", { status: "ok" })).rejects.toMatchObject({ hint: "No request is open." });
  });

  it("C21: a week of sleeps passes at once on the virtual clock", async () => {
    const run = await createTestRun({ process: week, inputs: { days: 7 }, now: "2026-01-01T00:00:00Z" });
    const ended = await run.complete(({ kind, taskDef }) => ({
      status: "ok",
      value: kind === "breakpoint" ? { approved: true } : (taskDef as { agent: { prompt: string } }).agent.prompt,
    }));
    expect(ended).toMatchObject({
      status: "completed",
      output: {
        done: [1, 2, 3, 4, 5, 6, 7].map((day) => `day ${day}`),
        approved: true,
        until: "2026-01-08T00:00:00.000Z",
      },
    });
    expect(run.clock.now().toISOString()).toBe("2026-01-08T00:00:00.000Z");
    expect((await run.status()).completionProof).toBe(ended.completionProof);
  });

  it("C21: a test can stop half-way, restart, edit, post by key and look at the events", async () => {
    const run = await createTestRun({ process: week, inputs: { days: 1 } });
    expect(await run.complete(() => undefined)).toMatchObject({
      status: "waiting",
      nextActions: [{ invocationKey: "work:1" }],
    });
    await run.post("work:1", { status: "ok", value: "x" });
    await run.restart();
    expect(await run.iterate()).toMatchObject({ reason: "sleep-waiting" });
    run.clock.set("2026-01-02T00:00:00Z");
    expect(await run.iterate()).toMatchObject({ status: "executed", nextActions: [{ kind: "breakpoint" }] });
    await run.edit(async (_inputs, ctx: ProcessContext) => ctx.task({ kind: "agent", id: "something else" }));
    const diverged = await run.iterate().catch((error: unknown) => ({ error }));
    expect(diverged.error).toMatchObject({ code: "RUN_DIVERGED" });
    await run.edit(week);
    expect(await run.iterate()).toMatchObject({ status: "waiting", reason: "breakpoint-waiting" });
    const types = (await run.events()).map(({ type }) => type);
    expect(types.filter((type) => type === "RUN_BLOCKED")).toHaveLength(1);
    expect(types.slice(0, 3)).toEqual(["RUN_CREATED", "EFFECT_REQUESTED", "EFFECT_RESOLVED"]);
  });

  it("C21: the clock stands still until it is moved", () => {
    const clock = new SettableClock("2026-05-05T05:05:05Z");
    const before = clock.now();
    expect(clock.now()).toEqual(before);
    before.setFullYear(1999);
    expect(clock.now().getUTCFullYear()).toBe(2026);
    clock.set(0);
    expect(clock.now().toISOString()).toBe("1970-01-01T00:00:00.000Z");
  });
});
