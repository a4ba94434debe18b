import path from "node:path";
import { describe, expect, it } from "vitest";
import { contractOf, SESSION } from "../../../../../tests/fixtures/loop/situations.js";
import { AskedRun } from "../../../../../tests/fixtures/runs/asked-run.js";
import { InboxAccess } from "../../inbox/inbox-access.js";
import { pauseLoop } from "../../loop-runs/change-loop.js";
import { startLoop } from "../../loop-runs/start-loop.js";
import { parseRunId } from "../../model/ids.js";
import { Chats } from "../../notify/chats.js";
import { cancelRun } from "../../runs/cancel-run.js";
import { decideBreakpoint } from "../../runs/decide-breakpoint.js";
import { RunJournal } from "../../runs/run-journal.js";
import { changeRun } from "./change-run.js";
import { possibleChanges } from "./possible-changes.js";

type Change = keyof typeof changeRun;
const CHANGES = ["retry", "cancel", "pause", "resume", "fork"] as const satisfies readonly Change[];

const source = { via: "cli", terminal: true } as const;

async function asked(end?: "approve" | "reject" | "cancel"): Promise<RunJournal> {
  const run = await AskedRun.begin({
    process: async (_, ctx) => {
      const { approved } = await ctx.breakpoint("Go on?");
      if (!approved) throw new Error("no");
    },
  });
  if (end === "cancel") await cancelRun(await run.journal(), {});
  else if (end !== undefined) {
    const effectId = await run.effectId();
    await decideBreakpoint(await run.journal(), { effectId, decision: end, feedback: "so", by: "mia", source });
    await run.iterate();
  }
  return run.journal();
}

async function looped(...pauses: { code: string; by: "engine" | "person" }[]): Promise<RunJournal> {
  const { ports } = await AskedRun.begin();
  const { runId } = await startLoop(ports, {
    runId: parseRunId("looped"),
    contract: contractOf(),
    goal: "Fix it",
    iteration: 1,
    projectRoot: () => "../../..",
    session: { harness: "claude-code", sessionId: SESSION, by: "start" },
  });
  const journal = await RunJournal.open(ports, runId);
  for (const pause of pauses) await pauseLoop(journal, { ...pause, message: "Enough." });
  return journal;
}

describe("what can be done to a run", () => {
  it.each<[string, () => Promise<RunJournal>, Change[]]>([
    ["that asks", () => asked(), ["cancel", "fork"]],
    ["that has failed", () => asked("reject"), ["retry", "cancel", "fork"]],
    ["that has completed", () => asked("approve"), ["fork"]],
    ["that was cancelled", () => asked("cancel"), ["fork"]],
    ["that is a loop at work", () => looped(), ["cancel", "pause"]],
    ["that the engine has paused", () => looped({ code: "stuck", by: "engine" }), ["cancel", "pause", "resume"]],
    ["that a person has paused", () => looped({ code: "by_request", by: "person" }), ["cancel", "resume"]],
    ["that has reached a limit", () => looped({ code: "budget_cost", by: "engine" }), ["cancel", "pause"]],
  ])("%s is what its commands do", async (_, begin, possible) => {
    const can = await possibleChanges(await begin());
    expect(CHANGES.filter((change) => can[change] === null)).toEqual(possible);
    for (const change of CHANGES) {
      const journal = await begin();
      const home = path.join(journal.runDir, "home");
      const own = { home, now: () => new Date() };
      const access = new InboxAccess(own);
      const evidence = { kind: "session", token: access.signIn(access.makeLink("mia").link, "Firefox").token } as const;
      const before = journal.summary.head.seq;
      const desk = { access, chats: new Chats(own), env: { HOME: home } };
      const order = { evidence, from: { at: 1 }, forkId: "copy" };
      const act = changeRun[change] as (...args: unknown[]) => Promise<unknown>;
      const error = await act(desk, journal, order).then(
        () => undefined,
        (thrown: unknown) => (thrown as Error).message,
      );
      const hasChanged = change === "fork" ? error === undefined : journal.summary.head.seq > before;
      expect([change, hasChanged]).toEqual([change, can[change] === null]);
      expect(can[change] ?? "").toContain(error ?? "");
    }
  });

  it("a limit that is reached says which command raises it", async () => {
    const { resume } = await possibleChanges(await looped({ code: "budget_cost", by: "engine" }));
    expect(resume).toContain("babysitter loop:resume looped --budget-usd");
  });
});
