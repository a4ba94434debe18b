import { describe, expect, it } from "vitest";
import { AskedRun, RUN, START } from "../../../../tests/fixtures/runs/asked-run.js";
import { decideBreakpoint } from "./decide-breakpoint.js";
import { postResult } from "./post-result.js";
import { reportRuns } from "./report-runs.js";
import { coveredMs } from "./report-times.js";

const MINUTE = 60_000;

describe("the time lost waiting for a human", () => {
  it("C22: overlapping time counts once, and only inside the window", () => {
    const window = { from: 0, to: 100 };
    expect(coveredMs([], window)).toBe(0);
    expect(
      coveredMs(
        [
          { from: 10, to: 20 },
          { from: 15, to: 30 },
          { from: 12, to: 14 },
        ],
        window,
      ),
    ).toBe(20);
    expect(
      coveredMs(
        [
          { from: 50, to: 60 },
          { from: 10, to: 20 },
        ],
        window,
      ),
    ).toBe(20);
    expect(
      coveredMs(
        [
          { from: -50, to: 10 },
          { from: 90, to: 200 },
        ],
        window,
      ),
    ).toBe(20);
    expect(coveredMs([{ from: -50, to: 500 }], window)).toBe(100);
    expect(
      coveredMs(
        [
          { from: -50, to: 0 },
          { from: 100, to: 120 },
        ],
        window,
      ),
    ).toBe(0);
  });

  it("C22: two questions at once, one answered later, are one wait", async () => {
    const run = await AskedRun.begin({
      process: async (_, ctx) => Promise.all(["a", "b"].map(async (name) => (await ctx.breakpoint(name)).approved)),
    });
    const journal = await run.journal();
    const source = { via: "cli" as const };
    const at = (minutes: number): Date => new Date(START + minutes * MINUTE);
    const [first, second] = Object.keys(journal.summary.pending) as [string, string];
    run.clock.set(at(10));
    await decideBreakpoint(journal, { effectId: first, decision: "approve", by: "ann", source });
    run.clock.set(at(30));
    const midway = await reportRuns([journal], { since: at(-60), until: at(30) });
    expect(midway).toMatchObject({
      humanWaitMinutes: 30,
      waiting: [{ runId: "asked", at: at(0).toISOString(), waiting: [{ who: "human", what: "b", effectId: second }] }],
    });
    run.clock.set(at(45));
    await decideBreakpoint(journal, { effectId: second, decision: "approve", by: "ann", source });
    await run.iterate();
    const later = [await run.journal()];
    expect(await reportRuns(later, { since: at(40), until: at(90) })).toMatchObject({
      humanWaitMinutes: 5,
      finished: [{ runId: "asked", state: "completed" }],
      waiting: [],
    });
    expect(await reportRuns(later, { since: at(60), until: at(90) })).toMatchObject({
      finished: [],
      humanWaitMinutes: 0,
    });
  });

  it("C22: a cancelled run waits for nobody after its end; failed attempts are counted", async () => {
    const run = await AskedRun.begin({
      process: async (_, ctx) => {
        await ctx.task({ id: "t", kind: "agent" }).catch(() => undefined);
        return ctx.breakpoint("Go on?");
      },
    });
    const journal = await run.journal();
    const [task] = Object.keys(journal.summary.pending) as [string];
    await postResult(journal, { effectId: task, result: { status: "error", error: "broken" } });
    await run.iterate();
    const open = await run.journal();
    const cancelledAt = new Date(START + 20 * MINUTE).toISOString();
    await open.commit((_, appended) =>
      appended.length > 0 ? [] : [{ type: "RUN_CANCELLED", timestamp: cancelledAt, payload: { reason: "wrong" } }],
    );
    const window = { since: new Date(START - MINUTE), until: new Date(START + 300 * MINUTE) };
    expect(await reportRuns([open], window)).toMatchObject({
      humanWaitMinutes: 20,
      failedAttempts: 1,
      cancelled: [{ why: "wrong", at: cancelledAt }],
    });
  });

  it("C22: a run whose cache an older version has continued is read again, once", async () => {
    const run = await AskedRun.begin({
      process: async (_, ctx) => {
        await ctx.task({ id: "t", kind: "agent" }).catch(() => undefined);
        return ctx.breakpoint("Go on?");
      },
    });
    const before = structuredClone((await run.journal()).summary.ledger);
    const [task] = Object.keys((await run.journal()).summary.pending) as [string];
    await postResult(await run.journal(), { effectId: task, result: { status: "error", error: "broken" } });
    await run.iterate();
    const window = { since: new Date(START - MINUTE), until: new Date(START + 30 * MINUTE) };
    const told = { humanWaitMinutes: 30, failedAttempts: 1, waiting: [{ waiting: [{ what: "Go on?" }] }] };
    for (const ledger of [before, undefined]) {
      const { summary } = await run.journal();
      const { ledger: _, ...rest } = summary;
      await run.ports.snapshots?.writeSummary(RUN, { summary: ledger === undefined ? rest : { ...rest, ledger } });
      expect((await run.journal()).summary.ledger).toEqual(ledger);
      expect(await reportRuns([await run.journal()], window)).toMatchObject(told);
      expect((await run.journal()).summary.ledger).toEqual(summary.ledger);
    }
  });
});
