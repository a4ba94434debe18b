import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { newProject } from "../../../../tests/fixtures/cli/command-line.js";
import { AskedRun, START } from "../../../../tests/fixtures/runs/asked-run.js";
import { decideBreakpoint } from "./decide-breakpoint.js";
import { postResult } from "./post-result.js";
import { coveredMs, reportRuns } from "./report-runs.js";

const MINUTE = 60_000;

describe("the time lost waiting for a human", () => {
  it("C22: what overlaps counts once, and only what lies in the window", () => {
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
});

describe("the report", () => {
  it("C22: says what finished, failed, waits and was cancelled, and what to do", async () => {
    const project = newProject({
      "p.mjs": `export async function process({ what }, ctx) {
  if (what === "fail") throw new Error("no such table");
  if (what === "ask") return (await ctx.breakpoint("Which way?")).approved;
  if (what === "work") await ctx.task({ id: "write", kind: "agent", title: "Write it" });
  return what;
}\n`,
    });
    for (const [runId, what] of [
      ["a", "done"],
      ["b", "fail"],
      ["c", "ask"],
      ["d", "work"],
      ["e", "ask"],
    ]) {
      project.write({ "in.json": JSON.stringify({ what }) });
      await project.create("p.mjs", runId as string, ["--inputs", "in.json"]);
      await project.run(["run:iterate", runId as string]);
    }
    await project.ask(["run:cancel", "e", "--reason", "superseded"]);
    await project.create("p.mjs", "damaged");
    fs.rmSync(path.join(project.runsDir, "damaged", "state"), { recursive: true, force: true });
    const journal = path.join(project.runsDir, "damaged", "journal");
    for (const file of fs.readdirSync(journal)) fs.writeFileSync(path.join(journal, file), "{ torn");
    const report = (await project.run(["report", "--since", "12h", "--json"])).json() as unknown as Record<
      string,
      unknown[]
    >;
    const ids = (name: string): unknown[] => (report[name] as { runId: string }[]).map(({ runId }) => runId);
    expect(["finished", "failed", "waiting", "cancelled"].map(ids)).toEqual([["a"], ["b"], ["c", "d"], ["e"]]);
    expect(report).toMatchObject({
      waiting: [{ waiting: [{ who: "human", what: "Which way?" }] }, { waiting: [{ who: "agent", what: "Write it" }] }],
      failed: [{ why: "no such table" }],
      next: [
        { command: expect.stringMatching(/^babysitter breakpoint:show effect-/) as string, about: "Which way?" },
        { command: "babysitter run:status b" },
        { command: "babysitter run d" },
      ],
    });
    const { stdout, code } = await project.run(["report"]);
    expect(code).toBe(0);
    expect(stdout).toContain("1 finished, 1 failed, 2 waiting, 1 cancelled");
    expect(stdout).toMatch(/^waiting +c +\d+ s +you: Which way\?$/mu);
    for (const since of ["yesterday", "5", "2026-13-45"])
      expect({ since, code: (await project.run(["report", "--since", since])).code }).toEqual({ since, code: 2 });
    expect((await project.run(["report", "--since", "2026-01-20"])).code).toBe(0);
  });
});
