/** The board of all runs, as the pages of the inbox get it. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  RunDetail,
  RunFileList,
  RunList,
  RunRow,
  TranscriptList,
  TranscriptPage,
} from "../../packages/breakpoints/src/wire/run-wire.js";
import { InboxScene } from "../fixtures/breakpoints/inbox-scene.js";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";

const scene = new InboxScene({
  "p.mjs": `const shell = (title, command) => ({ kind: "shell", title, shell: { command } });
export async function process(inputs, ctx) {
  await ctx.task(shell("prepare the harvest", "true"));
  if (inputs.command !== undefined) await ctx.task(shell(inputs.title ?? "work", inputs.command));
  if (inputs.sleep !== undefined) await ctx.sleep(inputs.sleep);
  if (inputs.question !== undefined) await ctx.breakpoint(inputs.question);
}
`,
});
const { project } = scene;

const CHANGING = (word: string): string => `const word = "${word}";
export async function process(inputs, ctx) {
  await ctx.breakpoint("Go on?");
  return word;
}
`;

function board(query: Record<string, string> = {}): Promise<RunList> {
  return scene.browser.read(`/api/runs?${new URLSearchParams(query).toString()}`);
}

async function ids(query: Record<string, string>): Promise<string[]> {
  return (await board(query)).runs.map(({ id }) => id);
}

/** The server hears of changes by itself; a test may be faster. */
async function seen(id: string, fits: (row: RunRow) => boolean): Promise<RunRow> {
  let last: RunRow | undefined;
  for (let looks = 0; looks < 3_000; looks += 1) {
    last = (await board()).runs.find((run) => run.id === id);
    if (last !== undefined && fits(last)) return last;
  }
  throw new Error(`${id} stands otherwise: ${JSON.stringify(last)}`);
}

const begin = (runId: string, inputs: object): string[] => [
  ..."run p.mjs --no-hooks --run-id".split(" "),
  runId,
  "--inputs",
  JSON.stringify(inputs),
];

async function drive(runId: string, inputs: object): Promise<void> {
  await project.run(begin(runId, inputs));
}

const drivers: ChildProcess[] = [];
afterAll(() => {
  for (const driver of drivers) driver.kill("SIGKILL");
});

/** A driver that stays at its run. */
function driveOn(runId: string, inputs: object): ChildProcess {
  return startDriver(begin(runId, inputs));
}

function startDriver(args: string[], env: Record<string, string> = {}): ChildProcess {
  const driver = spawn(process.execPath, [CLI, ...args], {
    cwd: project.dir,
    env: cleanEnvironment(project.home, env),
    stdio: "ignore",
  });
  drivers.push(driver);
  return driver;
}

describe("the board", () => {
  beforeAll(async () => {
    await drive("good", { command: "echo a rare kumquat" });
    await drive("bad", { command: "echo spoilt >&2; exit 3" });
    await drive("asks", { question: "Sow now?" });
    driveOn("sleeps", { sleep: 7_200_000 });
  });

  it("B7: each run stands in its lane, and says why", async () => {
    expect(await seen("good", ({ lane }) => lane === "done")).toMatchObject({ state: "completed", outcome: "proof" });
    const bad = await seen("bad", ({ lane }) => lane === "done");
    expect(bad).toMatchObject({ outcome: "failed", why: expect.stringContaining("spoilt") });
    const asks = await seen("asks", ({ lane }) => lane === "you");
    expect(asks.questions).toMatchObject([{ title: "Sow now?" }]);
    expect(await scene.detail(asks.questions[0]?.id ?? "")).toMatchObject({ question: "Sow now?" });
    const sleeps = await seen("sleeps", ({ lane }) => lane === "waiting");
    expect(Date.parse(sleeps.until ?? "")).toBeGreaterThan(Date.now());
    const { counts, projects, processes } = await board();
    expect(counts).toEqual({ you: 1, working: 0, stalled: 0, waiting: 1, done: 2 });
    expect([projects, processes]).toEqual([[asks.project], [asks.process]]);
  });

  it("B7: search finds names, steps and errors, and a word that stands only in a log; filters narrow it", async () => {
    await seen("good", () => true);
    expect(await ids({ search: "KumQuat" })).toEqual(["good"]);
    expect(await ids({ search: "spoilt" })).toEqual(["bad"]);
    expect((await ids({ search: "harvest prepare" })).toSorted()).toEqual(["asks", "bad", "good", "sleeps"]);
    expect(await ids({ search: "nowhere" })).toEqual([]);
    expect(await ids({ state: "completed" })).toEqual(["good"]);
    expect(await ids({ process: "other" })).toEqual([]);
  });

  it("B7: a driver that is killed leaves its run stalled, and that arrives live", async () => {
    const live = await scene.browser.live();
    const told = (lane: RunRow["lane"], why: string) =>
      live.untilOf("runs", ({ changed }) =>
        changed.some((row) => row.id === "killed" && row.lane === lane && row.why.includes(why)),
      );
    const driver = driveOn("killed", { command: "while :; do sleep 0.1; done", title: "dig" });
    await told("working", "Executing: dig");
    driver.kill("SIGKILL");
    await told("stalled", "Interrupted while executing dig");
    const { counts, runs } = await board({ search: "killed" });
    expect([counts.stalled, runs[0]]).toMatchObject([1, { id: "killed", lane: "stalled", outcome: null }]);
    // What the killed driver has left behind is ended with the run.
    const reply = await scene.browser.post("/api/runs/killed/change", { change: "cancel" });
    expect(reply.status).toBe(200);
    await told("done", "cancelled");
  });

  it("B7: a loop whose agent nobody starts any more is stalled, with the command that does", async () => {
    const live = await scene.browser.live();
    const told = (lane: RunRow["lane"], why: string) =>
      live.untilOf("runs", ({ changed }) =>
        changed.some((row) => row.id === "night" && row.lane === lane && row.why.includes(why)),
      );
    // It stays until whoever started it is gone.
    project.write({ "host.sh": "#!/bin/sh\nwhile kill -0 $PPID; do sleep 0.05; done\n" });
    fs.chmodSync(path.join(project.dir, "host.sh"), 0o755);
    await project.run(["loop:start", "Write x", "--run-id", "night", "--shape", "tool"]);
    const env = { BABYSITTER_CLAUDE: path.join(project.dir, "host.sh") };
    const driver = startDriver(["run", "night", "--agent", "claude-code"], env);
    await told("working", "An agent is working on it");
    driver.kill("SIGKILL");
    await told("stalled", "Nobody drives its agent");
    const detail = await scene.browser.read<RunDetail>("/api/runs/night");
    expect(JSON.stringify(detail)).toContain("babysitter run night --agent claude-code");
  });

  it("B7: hostile titles are data like any other, on cards and in what is searched for", async () => {
    const title = `<img src=x onerror=alert(1)> ' OR 1=1; -- %_ \u202e\u200b\u0000 \u001b[31mred`;
    await drive("hostile", { command: "exit 1", title });
    const row = await seen("hostile", ({ lane }) => lane === "done");
    expect(row.why).toContain("<img src=x onerror=alert(1)>");
    for (const search of ["onerror=alert(1)", "' or 1=1; --", "\u202e"])
      expect([search, await ids({ search })]).toEqual([search, ["hostile"]]);
    expect(await ids({ search: "%_x" })).toEqual([]);
    const reply = await scene.browser.get("/api/runs");
    expect(reply.headers["content-type"]).toContain("application/json");
    const run = await scene.browser.read<RunDetail>("/api/runs/hostile");
    expect(run.failing).toMatchObject({ exitCode: 1 });
    expect(run.failing?.title).toContain("<img src=x");
  });

  it("B7: a failed run shows what it failed on, its last lines, and what can be done", async () => {
    await drive("red", {
      command: "for n in $(seq 1 40); do echo line $n; done; echo oh no >&2; exit 3",
      title: "test",
    });
    const run = await scene.browser.read<RunDetail>(
      `/api/runs/${(await seen("red", ({ lane }) => lane === "done")).id}`,
    );
    expect(run.failing).toMatchObject({ title: "test", exitCode: 3, stderr: ["oh no"] });
    expect([run.failing?.stdout.length, run.failing?.stdout.at(-1)]).toEqual([30, "line 40"]);
    const { files } = await scene.browser.read<RunFileList>("/api/runs/red/files");
    expect(files.map((file) => file.path)).toEqual(expect.arrayContaining(run.failing?.logs ?? ["none"]));
    expect(run.failing?.logs).toHaveLength(2);
    expect(run.can).toMatchObject({ retry: null, cancel: null, fork: null, pause: expect.stringContaining("no loop") });
    expect(run.iterationCount).toBeGreaterThan(0);
    expect(run.runDir).toBe(project.runDir("red"));
  });

  it("B7: how the code of a run has changed is one of its files", async () => {
    project.write({ "q.mjs": CHANGING("first") });
    await project.run(["run", "q.mjs", "--run-id", "changed", "--no-hooks"]);
    project.write({ "q.mjs": CHANGING("second") });
    await project.run(["run:iterate", "changed", "--no-hooks"]);
    await seen("changed", ({ lane }) => lane === "you");
    const { codeChanges } = await scene.browser.read<RunDetail>("/api/runs/changed");
    expect(codeChanges).toMatchObject({ count: 1, files: ["q.mjs"] });
    const { files } = await scene.browser.read<RunFileList>("/api/runs/changed/files");
    expect(files.filter(({ kind }) => kind === "diff")).toMatchObject([{ path: codeChanges?.lastDiff }]);
    const diff = await scene.browser.get(`/api/runs/changed/file?path=${codeChanges?.lastDiff ?? ""}`);
    expect(diff.text).toContain('+const word = "second";');
    for (const name of ["code-changes/x.diff", "code-changes/../run.json", "code-changes/0.diff/../../run.json"])
      expect((await scene.browser.get(`/api/runs/changed/file?path=${encodeURIComponent(name)}`)).status).toBe(404);
  });

  it("B7: archived and deleted runs say so", async () => {
    for (const runId of ["kept", "lost"]) await drive(runId, {});
    for (const runId of ["kept", "lost"]) await seen(runId, ({ lane }) => lane === "done");
    await project.ask(["run:archive", "kept"]);
    fs.rmSync(project.runDir("lost"), { recursive: true });
    const errorOf = async (runId: string) => (await scene.browser.get(`/api/runs/${runId}`)).json()["error"];
    const restore = "babysitter run:archive kept --restore";
    const archived = {
      code: "RUN_NOT_FOUND",
      message: "Run kept was archived.",
      hint: expect.stringContaining(restore),
    };
    for (let looks = 0; (await ids({ search: "kept" })).length > 0; looks += 1) expect(looks).toBeLessThan(3_000);
    expect(await errorOf("kept")).toMatchObject(archived);
    for (let looks = 0; (await ids({ search: "lost" })).length > 0; looks += 1) expect(looks).toBeLessThan(3_000);
    expect(await errorOf("lost")).toMatchObject({ code: "RUN_NOT_FOUND", message: "Run lost was deleted." });
    expect(await errorOf("never")).toMatchObject({ code: "RUN_NOT_FOUND", message: 'There is no run "never".' });
    await project.ask(["run:archive", "kept", "--restore"]);
    await seen("kept", ({ lane }) => lane === "done");
  });

  it("B7: what the agents of a run have said is read in parts", async () => {
    const folder = path.join(project.home, ".claude", "projects", "-project");
    fs.mkdirSync(folder, { recursive: true });
    const row = (content: unknown): string => `${JSON.stringify({ type: "user", message: { content } })}\n`;
    fs.writeFileSync(path.join(folder, "session-1.jsonl"), row("Fix <b>it</b>.") + row("y".repeat(30_000)));
    await project.create("p.mjs", "agent", ["--harness", "claude-code", "--session-id", "session-1"]);
    expect(await seen("agent", () => true)).toMatchObject({ agent: true, lane: "working" });
    const { transcripts } = await scene.browser.read<TranscriptList>("/api/runs/agent/transcripts");
    expect(transcripts).toMatchObject([{ id: "session-1", session: "session-1" }]);
    const page = await scene.browser.read<TranscriptPage>("/api/runs/agent/transcript?of=session-1");
    expect(page.entries).toMatchObject([
      { who: "prompt", text: "Fix <b>it</b>.", cut: false },
      { who: "prompt", cut: true },
    ]);
    expect(page.entries[1]?.text.length).toBeLessThanOrEqual(20_000);
    const rest = await scene.browser.read<TranscriptPage>(
      `/api/runs/agent/transcript?of=session-1&from=${page.next ?? ""}`,
    );
    expect(rest).toMatchObject({ entries: [], next: null });
    for (const target of ["of=../x", "of=", "from=0"])
      expect((await scene.browser.get(`/api/runs/agent/transcript?${target}`)).status).toBe(404);
    expect((await scene.browser.get("/api/runs/agent/transcript?of=session-1&from=x")).status).toBe(400);
  });

  it("B7: the board is there again after its index was deleted, and goes on", async () => {
    await seen("good", () => true);
    const before = await ids({});
    for (const ending of ["", "-wal", "-shm"])
      fs.rmSync(path.join(project.home, ".a5c", "inbox", `index.db${ending}`), { force: true });
    expect((await ids({})).toSorted()).toEqual(before.toSorted());
    expect(await ids({ search: "kumquat" })).toEqual(["good"]);
    await drive("after", { command: "echo plum" });
    await seen("after", ({ lane }) => lane === "done");
    expect(await ids({ search: "plum" })).toEqual(["after"]);
  });

  it.each(["state=open", "day=tomorrow", "after=x", "limit=0", "lane=you", `search=${"x".repeat(300)}`])(
    "a board that makes no sense is refused: %s",
    async (query) => {
      expect((await scene.browser.get(`/api/runs?${query}`)).status).toBe(400);
    },
  );
});
