/** What an inbox or a viewer needs of the package, used by its name. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { processFolder } from "../fixtures/package/process-folder.js";
import { operate, sdk } from "../fixtures/package/sdk.js";
import { tempDir } from "../fixtures/temp-dir.js";

const PROCESS = `export const process = (_, ctx) => ctx.breakpoint({ question: "Ship it?", context: { files: ["notes.md"] } });`;

async function asked(): Promise<{ runs: ReturnType<typeof operate.openRuns>; runDir: string }> {
  const dir = processFolder({ "p.mjs": PROCESS, "notes.md": "All green." });
  const runsDir = path.join(dir, ".a5c", "runs");
  const { runDir } = await sdk.createRun({
    runsDir,
    runId: "asked",
    process: { processId: "ship", importPath: path.join(dir, "p.mjs") },
  });
  await sdk.orchestrateIteration({ runDir });
  return { runs: operate.openRuns({ runsDir }), runDir };
}

describe("./operate", () => {
  it("lists runs and questions, shows one with its files, and takes a comment and a decision", async () => {
    const { runs, runDir } = await asked();
    expect(await operate.listRuns(runs, { open: true })).toMatchObject([{ runId: "asked", state: "waiting" }]);
    const journals = await operate.openJournals(runs);
    const [listed] = await operate.listBreakpoints(journals, { all: false });
    expect(listed).toMatchObject({ runId: "asked", question: "Ship it?", state: "open" });
    const found = await operate.findBreakpoint(journals, listed?.breakpointId ?? "");
    const shown = await operate.describeBreakpoint(found, operate.localContextFiles);
    expect(shown.files).toMatchObject([{ path: "notes.md", text: "All green." }]);
    const desk = operate.openDesk({ env: { HOME: tempDir() } });
    const evidence = { kind: "local", author: "ada" } as const;
    const effectId = shown.breakpointId;
    await operate.comment(desk, found.journal, { effectId, text: "Nice.", evidence });
    const decided = await operate.decide(desk, found.journal, { effectId, decision: "approve", evidence });
    expect(decided).toMatchObject({ outcome: "committed", result: { approved: true, verified: false } });
    await sdk.orchestrateIteration({ runDir });
    expect(await operate.listRuns(runs, { open: true })).toEqual([]);
  });

  it("is told when someone else appends, and knows the state after any event", async () => {
    const { runs, runDir } = await asked();
    const journal = await operate.RunJournal.open(runs, operate.parseRunId("asked"));
    const told = operate.waitFor(journal, (news) => (news.length > 0 ? operate.statusOf(journal.summary) : undefined));
    const [effectId = ""] = Object.keys(journal.summary.pending);
    await sdk.commitEffectResult({ runDir, effectId, result: { status: "ok", value: { approved: true } } });
    expect(await told).toBe("running");
    const states = await Promise.all(
      [1, 2, 3].map(async (seq) => operate.statusOf(await operate.stateAt(journal, seq))),
    );
    expect(states).toEqual(["created", "waiting", "running"]);
  });
});
