import { describe, expect, it } from "vitest";
import { contractOf, SESSION } from "../../../../../tests/fixtures/loop/situations.js";
import { AskedRun, START } from "../../../../../tests/fixtures/runs/asked-run.js";
import { startLoop } from "../../loop-runs/start-loop.js";
import { parseRunId } from "../../model/ids.js";
import { decideBreakpoint } from "../../runs/decide-breakpoint.js";
import { RunJournal } from "../../runs/run-journal.js";
import { drivingOf, glanceAtRun, textsOfRun } from "./glance-at-run.js";

const HOUR = 3_600_000;

describe("a run at a glance", () => {
  it("a sleep is waited for until its time has come", async () => {
    const run = await AskedRun.begin({ process: async (_, ctx) => ctx.sleep(HOUR) });
    const until = new Date(START + HOUR).toISOString();
    expect(await glanceAtRun(await run.journal())).toMatchObject({
      state: "waiting",
      outcome: null,
      until,
      driving: { by: "nobody" },
    });
    run.clock.set(START + HOUR);
    expect(await glanceAtRun(await run.journal())).toMatchObject({ until: null });
  });

  it("what waits for no time, beside a sleep, may go on at any moment", async () => {
    const run = await AskedRun.begin({
      process: async (_, ctx) =>
        ctx.parallel.all([
          () => ctx.sleep(HOUR),
          () => ctx.task({ kind: "agent", title: "think", agent: { name: "a" } }),
        ]),
    });
    expect(await glanceAtRun(await run.journal())).toMatchObject({ state: "waiting", until: null });
  });

  it("has an outcome once it has ended", async () => {
    for (const [decision, outcome] of [["approve", "proof"] as const, ["reject", "failed"] as const]) {
      const run = await AskedRun.begin({
        process: async (_, ctx) => {
          if (!(await ctx.breakpoint("Go on?")).approved) throw new Error("no");
        },
      });
      expect(await glanceAtRun(await run.journal())).toMatchObject({ outcome: null, until: null });
      const source = { via: "cli", terminal: true } as const;
      const effectId = await run.effectId();
      await decideBreakpoint(await run.journal(), { effectId, decision, feedback: "so", by: "mia", source });
      await run.iterate();
      expect(await glanceAtRun(await run.journal())).toMatchObject({ outcome });
    }
  });

  it("an agent whose host has no quota waits until the next try", async () => {
    const { ports, clock } = await AskedRun.begin();
    const { runId } = await startLoop(ports, {
      runId: parseRunId("looped"),
      contract: contractOf(),
      goal: "Fix it\nall of it",
      iteration: 1,
      projectRoot: () => "../../..",
      session: { harness: "claude-code", sessionId: SESSION, by: "start" },
    });
    const journal = await RunJournal.open(ports, runId);
    expect(await glanceAtRun(journal)).toMatchObject({ state: "running", until: null });
    expect(await textsOfRun(journal)).toMatchObject({ goal: "Fix it\nall of it", failures: [] });
    const retryAt = new Date(START + HOUR).toISOString();
    const payload = { sessionId: SESSION, error: "rate_limit", message: "later", report: "r", by: "driver", retryAt };
    await journal.commit((_, appended) =>
      appended.length > 0 ? [] : [{ type: "TURN_FAILED", timestamp: clock.now().toISOString(), payload } as never],
    );
    expect(await glanceAtRun(journal)).toMatchObject({ until: retryAt });
    clock.set(START + HOUR);
    expect(await glanceAtRun(journal)).toMatchObject({ until: null });
  });

  it("who drives it is found without opening it", async () => {
    const run = await AskedRun.begin();
    const { runId, ports } = await run.journal();
    expect(await drivingOf(ports, runId)).toEqual({ by: "nobody" });
  });
});
