import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AskedRun, type AskOptions } from "../../../../tests/fixtures/runs/asked-run.js";
import { localContextFiles } from "../machine/context-files.js";
import { parseRunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import { type ApprovedVersion, approvedVersions } from "./approved-versions.js";
import { createRun } from "./create-run.js";
import { decideBreakpoint } from "./decide-breakpoint.js";
import { LiveRun } from "./live-run.js";
import { openBreakpoints } from "./open-breakpoints.js";
import { retryRun } from "./retry-run.js";
import { RunJournal } from "./run-journal.js";

const PLAN = { question: "Is this the plan?", context: { files: ["plan.md", "notes.md"] } };
const SOURCE = { via: "cli", terminal: true } as const;
const MINUTE = 60_000;

/** A project in which the same process asks about the same files again and again. */
class Planning {
  readonly asked: AskedRun;
  #minutes = 0;

  private constructor(asked: AskedRun) {
    this.asked = asked;
  }

  static async begin(process?: AskOptions["process"]): Promise<Planning> {
    const files = { "plan.md": "0", "notes.md": "same" };
    return new Planning(await AskedRun.begin({ payload: PLAN, files, ...defined({ process }) }));
  }

  /** A run that asks about this text. */
  async ask(runId: string, text: string, processId = "asking"): Promise<RunJournal> {
    const { ports } = this.asked;
    this.#tick();
    fs.writeFileSync(this.asked.path("plan.md"), text);
    await createRun(ports, {
      processId,
      runId: parseRunId(runId),
      entry: { file: this.asked.path("process.js"), projectRoot: this.asked.project },
      recorded: () => ({ path: "process.js", projectRoot: "../../.." }),
    });
    return this.iterate(runId);
  }

  async iterate(runId: string): Promise<RunJournal> {
    const { ports } = this.asked;
    const run = await LiveRun.open(ports, parseRunId(runId), { quietLimitMs: 5_000 });
    await run.iterate();
    await run.close();
    await openBreakpoints(run.journal, localContextFiles);
    return RunJournal.open(ports, parseRunId(runId));
  }

  async decide(journal: RunJournal, decision: "approve" | "reject", by = "mia"): Promise<void> {
    this.#tick();
    await decideBreakpoint(journal, { effectId: effectOf(journal), decision, feedback: "…", by, source: SOURCE });
  }

  #tick(): void {
    this.#minutes += 1;
    this.asked.clock.set(Date.UTC(2026, 0, 20, 8) + this.#minutes * MINUTE);
  }
}

function effectOf({ summary }: RunJournal): string {
  return Object.keys(summary.pending)[0] as string;
}

async function planOf(versions: ApprovedVersion[]): Promise<object | undefined> {
  const version = versions.find((one) => one.path === "plan.md");
  return version && { ...(await version.read()), by: version.by, runId: version.runId };
}

describe("the last approved version of a file", () => {
  it("is the text that was shown when the same process last got a yes, in any run", async () => {
    const planning = await Planning.begin();
    await planning.decide(await planning.ask("one", "first"), "approve", "ada");
    const second = await planning.ask("two", "second");
    await planning.decide(second, "approve");
    await planning.decide(await planning.ask("three", "third"), "reject");
    await planning.decide(await planning.ask("other", "of another process", "another"), "approve");
    await planning.ask("open", "nobody has said anything");
    const now = await planning.ask("four", "fourth");
    const versions = await approvedVersions(now, effectOf(now));
    expect(await planOf(versions)).toEqual({ text: "second", by: "mia", runId: "two" });
    expect(versions.map(({ path: file }) => file)).toEqual(["plan.md", "notes.md"]);
    expect(versions[0]).toMatchObject({
      sha256: localContextFiles.sha256("second"),
      bytes: 6,
      breakpointId: Object.keys((await second.index()).keys)[0],
      approvedAt: "2026-01-20T08:04:00.000Z",
    });
  });

  it("of a question that is decided, the one before it", async () => {
    const planning = await Planning.begin();
    await planning.decide(await planning.ask("one", "first"), "approve");
    const two = await planning.ask("two", "second");
    const effectId = effectOf(two);
    await planning.decide(two, "approve");
    await planning.decide(await planning.ask("three", "third"), "approve");
    expect(await planOf(await approvedVersions(two, effectId))).toMatchObject({ text: "first", runId: "one" });
  });

  it("is found in the same run, and a text that was rejected first counts once it is approved", async () => {
    const planning = await Planning.begin(async (_, ctx) => {
      await ctx.breakpoint(PLAN);
      await ctx.breakpoint(PLAN);
    });
    const one = await planning.ask("one", "first");
    const effectId = effectOf(one);
    await planning.decide(one, "reject");
    const by = { by: "mia", via: "cli", verified: false } as const;
    await retryRun(one, { step: effectId, decider: { source: SOURCE, answers: "bound", by } });
    fs.writeFileSync(planning.asked.path("plan.md"), "better");
    const again = await planning.iterate("one");
    expect(await approvedVersions(again, effectId)).toEqual([]);
    await planning.decide(again, "approve", "ada");
    const next = await planning.iterate("one");
    expect(effectOf(next)).not.toBe(effectId);
    const plan = await planOf(await approvedVersions(next, effectOf(next)));
    expect(plan).toEqual({ text: "better", by: "ada", runId: "one" });
  });

  it("is there only while its recorded copy is what was shown", async () => {
    const planning = await Planning.begin();
    const one = await planning.ask("one", "first");
    await planning.decide(one, "approve");
    const now = await planning.ask("two", "second");
    const blobs = path.join(one.runDir, "blobs");
    const forged = fs
      .readdirSync(blobs)
      .filter((name) => fs.readFileSync(path.join(blobs, name), "utf8") === '"first"');
    expect(forged).toHaveLength(1);
    for (const name of forged) {
      fs.chmodSync(path.join(blobs, name), 0o644);
      fs.writeFileSync(path.join(blobs, name), '"forged"');
    }
    const plan = await planOf(await approvedVersions(now, effectOf(now)));
    expect(plan).toMatchObject({ refused: expect.stringContaining("cannot be read") as string });
    expect(plan).not.toHaveProperty("text");
  });

  it("a run that is damaged hides no other, and of many runs the newest are looked at", async () => {
    const planning = await Planning.begin();
    await planning.decide(await planning.ask("old", "too old"), "approve");
    for (let n = 0; n < 60; n += 1) await planning.ask(`run-${n}`, `text ${n}`);
    const damaged = path.join(planning.asked.path(".a5c", "runs"), "run-58", "journal");
    for (const name of fs.readdirSync(damaged)) fs.rmSync(path.join(damaged, name));
    fs.rmSync(path.join(path.dirname(damaged), "state"), { recursive: true, force: true });
    const now = await planning.ask("now", "x");
    expect(await approvedVersions(now, effectOf(now))).toEqual([]);
    await planning.decide(await RunJournal.open(planning.asked.ports, parseRunId("run-30")), "approve");
    expect(await planOf(await approvedVersions(now, effectOf(now)))).toMatchObject({ text: "text 30" });
  });
});
