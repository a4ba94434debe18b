/** What an inbox or a viewer needs of the package, used by its name. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { cleanEnvironment, execute } from "../fixtures/command-line.js";
import { momentsIn, RECORDER, withHook } from "../fixtures/hooks/recorded-hooks.js";
import { LoopProject, SESSION } from "../fixtures/loop-runs/loop-project.js";
import { processFolder } from "../fixtures/package/process-folder.js";
import { operate, sdk } from "../fixtures/package/sdk.js";
import { ask, askingProject, GATE } from "../fixtures/runs/asked-project.js";
import { tempDir } from "../fixtures/temp-dir.js";

const SDK = fileURLToPath(new URL("../../packages/sdk/", import.meta.url));

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

  it("pauses, resumes and cancels the loop of an agent for a person who has signed in, and for nobody else", async () => {
    const project = new LoopProject();
    const { runId } = await project.start(["Tidy up.", "--claim", "It is tidy."]);
    const desk = operate.openDesk({ env: cleanEnvironment(project.home) });
    const { token } = desk.access.signIn(desk.access.makeLink("mia").link, "Firefox");
    const person = { kind: "session", token } as const;
    const runs = operate.openRuns({ runsDir: project.runsDir, env: desk.env });
    const journal = await operate.RunJournal.open(runs, operate.parseRunId(runId));
    const { pause, resume, cancel } = operate.changeRun;
    for (const change of [pause, resume, cancel])
      await expect(change(desk, journal, { evidence: { kind: "local" } })).rejects.toThrow("only a person may");
    const sessionFile = (): string =>
      fs.readFileSync(path.join(project.home, ".a5c", "state", `${SESSION}.md`), "utf8");
    expect(sessionFile()).toContain("active: true");
    expect(await pause(desk, journal, { evidence: person, reason: "Lunch." })).toEqual({ paused: true });
    expect(sessionFile()).toContain("active: false");
    expect(journal.summary.loop?.paused).toMatchObject({ code: "by_request", message: "Lunch.", by: "person" });
    expect(await pause(desk, journal, { evidence: person })).toEqual({ paused: false });
    expect(await resume(desk, journal, { evidence: person })).toEqual({ resumed: true });
    expect(await resume(desk, journal, { evidence: person })).toEqual({ resumed: false });
    expect(sessionFile()).toContain("active: true");
    const report = await operate.reportLoop(journal);
    expect(report).toMatchObject({ outcome: "under-way", criteria: [{ text: "It is tidy." }] });
    expect(await cancel(desk, journal, { evidence: person })).toMatchObject({ cancelled: true });
    expect(fs.existsSync(path.join(project.home, ".a5c", "state", `${SESSION}.md`))).toBe(false);
    const changed = project
      .events(runId)
      .filter(({ type }) => /^(?:LOOP_PAUSED|LOOP_RESUMED|RUN_CANCELLED)$/u.test(type));
    const source = { via: "web", verified: true };
    expect(changed.map(({ payload }) => payload["source"])).toMatchObject([source, source, source]);
  });

  it("a program that is killed right after a decision owes its hooks, and the next command calls them", async (test) => {
    const project = askingProject(test, GATE);
    const effectId = await ask(project, "gate");
    const waiting = 'until [ -e "$REPO_ROOT/go" ]; do sleep 0.05; done';
    withHook(project, "on-task-complete", RECORDER.replace("\n", `\n${waiting}\n`));
    const program = `
const { decide, openDesk, openRuns, parseRunId, RunJournal } = await import(${JSON.stringify(path.join(SDK, "dist/operate.js"))});
const journal = await RunJournal.open(openRuns({ runsDir: ${JSON.stringify(project.runsDir)} }), parseRunId("gate"));
const words = { effectId: ${JSON.stringify(effectId)}, decision: "approve", evidence: { kind: "local" } };
await decide(openDesk(), journal, words);
process.kill(process.pid, "SIGKILL");`;
    const where = { cwd: project.root, home: project.home };
    expect((await execute(process.execPath, ["--input-type=module", "-e", program], where)).signal).toBe("SIGKILL");
    const told = (): unknown[] =>
      project.events("gate").filter(({ type, payload }) => type === "HOOK_DISPATCHED" && payload["about"] === effectId);
    expect(told()).toEqual([]);
    project.write({ go: "" });
    expect((await project.ask(["run:iterate", "gate"])).output).toMatchObject({ approved: true });
    expect(told()).toHaveLength(1);
    expect(momentsIn(project)).toContainEqual({
      type: "on-task-complete",
      payload: expect.objectContaining({ effectId }) as Record<string, unknown>,
    });
  });

  it("its errors are known to the main entry, although each has classes of its own", async () => {
    const { runs } = await asked();
    const error: unknown = await operate.findBreakpoint(await operate.openJournals(runs), "none").catch((e) => e);
    expect([sdk.BabysitterError.is(error), error instanceof sdk.BabysitterError]).toEqual([true, false]);
    expect(error).toMatchObject({ code: "BREAKPOINT_NOT_FOUND", exitCode: 2 });
  });
});

describe("the packed SDK", () => {
  it("installed in an empty folder, it decides through ./operate, and the project's hook is called", async (test) => {
    const project = askingProject(test, GATE);
    const effectId = await ask(project, "gate");
    withHook(project, "on-task-complete", RECORDER);
    withHook(project, "on-task-complete", '#!/bin/sh\ncommand -v babysitter > "$REPO_ROOT/program"\n', "program.sh");
    const folder = path.join(project.root, "program");
    fs.mkdirSync(folder);
    const npm = (...args: string[]): string =>
      execFileSync("npm", [...args, "--ignore-scripts", "--offline", "--no-audit", "--no-fund"], {
        cwd: folder,
        encoding: "utf8",
        env: cleanEnvironment(project.home, { npm_config_update_notifier: "false" }),
        stdio: ["ignore", "pipe", "pipe"],
      });
    npm("install", path.join(folder, npm("pack", SDK).trim().split("\n").at(-1) as string));
    fs.writeFileSync(
      path.join(folder, "decide.mjs"),
      `import { decide, openDesk, openRuns, parseRunId, RunJournal } from "@a5c-ai/babysitter-sdk/operate";
const [runsDir, effectId] = process.argv.slice(2);
const desk = openDesk();
const journal = await RunJournal.open(openRuns({ runsDir }), parseRunId("gate"));
const evidence = { kind: "local", author: "ada" };
const { outcome } = await decide(desk, journal, { effectId, decision: { option: "now" }, evidence });
await desk.hooksCalled();
console.log(JSON.stringify({ outcome }));
`,
    );
    const done = await execute(process.execPath, ["decide.mjs", project.runsDir, effectId], {
      cwd: folder,
      home: project.home,
    });
    expect(done.stderr).toBe("");
    expect(done.json()).toMatchObject({ outcome: "committed" });
    const installed = path.join(folder, "node_modules/@a5c-ai/babysitter-sdk");
    expect(project.read("program").trim()).toBe(path.join(installed, "dist/cli/bin/babysitter"));
    expect(momentsIn(project)).toMatchObject([{ type: "on-task-complete", payload: { effectId, status: "ok" } }]);
    const { output } = await project.ask(["run:iterate", "gate"]);
    expect(output).toMatchObject({ approved: true, option: "now" });
    expect(momentsIn(project).filter(({ payload }) => payload["effectId"] === effectId)).toHaveLength(1);
  });
});
