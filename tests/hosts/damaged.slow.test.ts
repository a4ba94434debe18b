/** Files that are broken, gone, foreign or tampered with: the session is freed, nothing is deleted, the user is told. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { eventFileName, nextPlace, renderEvent, sealEvent } from "../../packages/sdk/src/journal/rules/chain.js";
import type { EventDraft, JournalEvent } from "../../packages/sdk/src/model/events.js";
import { execute } from "../fixtures/command-line.js";
import { answerOf, CLI, HostSession, problemsOf } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const GOAL = "Build the shed.";

async function looped(project: Project = new Project()): Promise<{ session: HostSession; runId: string }> {
  const session = new HostSession(project);
  return { session, runId: await session.startLoop(GOAL, ["--run-id", "r"]) };
}

/** Every content of every file, wherever it is now. */
function contents(project: Project): string[] {
  return Object.entries(project.tree(project.root))
    .filter(([name]) => !name.includes("/log/") && !/\/state\/(?:state|head|index|tree)/u.test(name))
    .map(([, content]) => content)
    .toSorted();
}

const inQuarantine = (session: HostSession): string[] => {
  const dir = path.join(path.dirname(session.file), "quarantine");
  return fs.existsSync(dir) ? fs.readdirSync(dir).map((name) => fs.readFileSync(path.join(dir, name), "utf8")) : [];
};

describe("a session file that cannot be read", () => {
  const head = 'active: true\niteration: 3\nmax_iterations: 9\ncompletion_promise: "X"\nrun_id: "r"';
  it.each([
    ["empty", "", "the file is empty"],
    ["half written", "---\nactive: true\niter", "the second --- line is missing"],
    [
      "with a count that is none",
      `---\n${head.replace("3", "three")}\n---\n\nx\n`,
      "'iteration' field is not a valid number",
    ],
    [
      "with a limit that is none",
      `---\n${head.replace("9", "1e9")}\n---\n\nx\n`,
      "'max_iterations' field is not a valid",
    ],
    ["of bytes", "\u0000\u0001\u0002", "the first line is not ---"],
    ["without a prompt", "---\nactive: true\niteration: 1\nmax_iterations: 5\n---\n", "No prompt text found"],
  ])("L8: corrupt state, empty prompt: %s: freed, moved to quarantine, told", async (_, text, problem) => {
    const { session, runId } = await looped();
    const journal = session.project.journal(runId);
    fs.writeFileSync(session.file, text);
    const { decision, systemMessage } = await session.stop();
    expect(decision).toBeUndefined();
    expect(systemMessage).toMatch(/^⚠️ {2}Babysitter run: State file corrupted\n {3}Problem: /u);
    expect(systemMessage).toContain(problem);
    expect(inQuarantine(session)).toEqual([text]);
    expect(fs.existsSync(session.file)).toBe(false);
    expect(session.project.journal(runId)).toEqual(journal);
  });

  it("L8: corrupt state: told by the prompt that comes before the end of the turn, too", async () => {
    const { session } = await looped();
    fs.writeFileSync(session.file, "---\nactive: maybe\n");
    const { systemMessage } = await session.hook("user-prompt-submit", { prompt: "hello" });
    expect(systemMessage).toContain("⚠️  Babysitter run: State file corrupted");
    expect(inQuarantine(session)).toEqual(["---\nactive: maybe\n"]);
  });

  it("L8: corrupt state: resumable, by command and by the session's next start", async () => {
    const { session, runId } = await looped();
    const again = [
      async () => session.project.ask(["loop:resume", runId, "--session-id", session.sessionId]),
      async () => session.hook("session-start", { source: "resume" }),
    ];
    for (const resume of again) {
      fs.writeFileSync(session.file, "");
      expect((await session.stop()).systemMessage).toContain("State file corrupted");
      expect(await session.stop()).toEqual({});
      await resume();
      expect(await session.stop()).toMatchObject({ decision: "block", reason: GOAL });
    }
    expect(session.stops(runId)).toHaveLength(2);
  });

  it("L8: a link, or a folder, in the place of the file is moved aside as it is", async () => {
    const { session } = await looped();
    const target = path.join(session.project.root, "secret.md");
    fs.renameSync(session.file, target);
    const before = fs.readFileSync(target, "utf8");
    fs.symlinkSync(target, session.file);
    expect((await session.stop()).systemMessage).toContain("it is a symbolic link");
    fs.mkdirSync(session.file);
    expect((await session.stop()).systemMessage).toContain("it is not a regular file");
    expect(fs.readFileSync(target, "utf8")).toBe(before);
    expect(fs.readdirSync(path.join(path.dirname(session.file), "quarantine"))).toHaveLength(2);
  });
});

describe("a session file that says something else than the journal", () => {
  it("L8: edited iteration, limit, promise and prompt change nothing; the journal counts", async () => {
    const { session, runId } = await looped();
    const text = fs.readFileSync(session.file, "utf8");
    const edited = text
      .replace("iteration: 1\n", "iteration: 49\n")
      .replace("max_iterations: 50", "max_iterations: 1")
      .replace(/completion_promise: .*/u, 'completion_promise: "EASY"')
      .replace(GOAL, "Do nothing.");
    expect(edited).not.toBe(text);
    fs.writeFileSync(session.file, edited);
    const { decision, reason } = await session.stop("<promise>EASY</promise>");
    expect([decision, reason]).toEqual(["block", expect.stringContaining("is not the one of this loop")]);
    expect(reason?.endsWith(`\n\n${GOAL}`)).toBe(true);
    expect(session.stops(runId)).toMatchObject([{ iteration: 1, reason: "continue_loop" }]);
    expect(fs.readFileSync(session.file, "utf8")).toContain("active: true\niteration: 2\nmax_iterations: 50\n");
  });

  it("L8: active: false approves, the user is told, and the loop can be resumed", async () => {
    const { session, runId } = await looped();
    fs.writeFileSync(session.file, fs.readFileSync(session.file, "utf8").replace("active: true", "active: false"));
    expect(await session.stop()).toEqual({
      systemMessage: `⏸ Babysitter run: paused, because the session file says active: false. To resume: babysitter loop:resume ${runId}`,
    });
    expect(await session.stop()).toEqual({});
    expect(session.events(runId).slice(-2)).toMatchObject([
      { type: "LOOP_PAUSED", payload: { code: "session_inactive" } },
      { type: "STOP_HOOK_INVOKED", payload: { reason: "paused" } },
    ]);
    await session.project.ask(["loop:resume", runId]);
    expect(await session.stop()).toMatchObject({ decision: "block" });
  });

  it("L8: a file that names the run of another session: freed, moved aside, reported; the owner continues", async () => {
    const { session, runId } = await looped();
    const thief = new HostSession(session.project);
    const text = fs.readFileSync(session.file, "utf8");
    fs.writeFileSync(thief.file, text);
    const answer = await thief.stop();
    expect(answer.decision).toBeUndefined();
    expect(answer.systemMessage).toContain(session.sessionId);
    expect(fs.existsSync(thief.file)).toBe(false);
    const ended = path.join(path.dirname(thief.file), "ended");
    expect(fs.readdirSync(ended).map((name) => fs.readFileSync(path.join(ended, name), "utf8"))).toEqual([text]);
    expect(await session.stop()).toMatchObject({ decision: "block" });
    expect(session.stops(runId)).toMatchObject([
      { sessionId: thief.sessionId, decision: "approve", reason: "not_owner" },
      { sessionId: session.sessionId, decision: "block", iteration: 1 },
    ]);
  });
});

describe("a run that cannot be used", () => {
  it("L8: run directory deleted: freed, told, and the session file stays", async () => {
    const { session, runId } = await looped();
    const before = fs.readFileSync(session.file, "utf8");
    fs.renameSync(session.runDir(runId), path.join(session.project.root, "moved-away"));
    const { decision, systemMessage } = await session.stop();
    expect([decision, systemMessage]).toEqual([
      undefined,
      expect.stringMatching(
        /^⚠️ {2}Babysitter run: the run r of this session cannot be used \(run_state_unknown\): There is no run r/u,
      ),
    ]);
    expect(problemsOf(session.project)).toMatchObject([{ code: "run_state_unknown", hookType: "stop" }]);
    expect(fs.readFileSync(session.file, "utf8")).toBe(before);
    fs.renameSync(path.join(session.project.root, "moved-away"), session.runDir(runId));
    expect(await session.stop()).toMatchObject({ decision: "block" });
  });

  it("L8: the run of a hand-written file has ended: freed, told once, and the file is moved aside", async () => {
    const session = new HostSession(new Project({ "p.mjs": "export async function p() {}\n" }));
    await session.project.create("p.mjs#p", "done");
    await session.project.ask(["run:iterate", "done"]);
    await session.project.ask(["session:init", "--run-id", "done", "--session-id", session.sessionId]);
    expect((await session.stop()).systemMessage).toContain(
      "the run done of this session cannot be used (run_state_unknown): it has ended",
    );
    expect(await session.stop()).toEqual({});
    expect(fs.readdirSync(path.join(path.dirname(session.file), "ended"))).toHaveLength(1);
  });

  const damaged = (text: string): string => text.replace("LOOP_STARTED", "LOOP_STARTEX");
  const cut = (text: string): string => text.slice(0, text.length / 2);

  it.each([
    ["damaged", damaged],
    ["cut in half", cut],
  ])("L3 L8: journal %s: freed as run_state_unknown, told, nothing changed", async (_, damage) => {
    const { session, runId } = await looped();
    const dir = path.join(session.runDir(runId), "journal");
    const file = path.join(dir, fs.readdirSync(dir).toSorted()[1] as string);
    fs.writeFileSync(file, damage(fs.readFileSync(file, "utf8")));
    fs.rmSync(path.join(session.runDir(runId), "state"), { recursive: true });
    const before = contents(session.project);
    const { decision, systemMessage } = await session.stop();
    expect([decision, systemMessage]).toEqual([undefined, expect.stringContaining("(run_state_unknown): ")]);
    expect(contents(session.project)).toEqual(before);
    expect(await session.hook("user-prompt-submit", { prompt: "hello?" })).toEqual({});
    const { hookSpecificOutput } = await session.hook("session-start", { source: "resume" });
    expect(hookSpecificOutput?.additionalContext).toMatch(/1 problem in the last day; .* run_state_unknown: /u);
  });

  it("L3 L8: damage behind a head that is known: freed as run_state_unknown too, nothing changed", async () => {
    const session = new HostSession(new Project());
    const runId = await session.startLoop("x".repeat(70_000), ["--run-id", "r"]);
    await session.stop();
    const blobs = path.join(session.runDir(runId), "blobs");
    for (const name of fs.readdirSync(blobs)) fs.writeFileSync(path.join(blobs, name), "torn");
    const before = session.project.journal(runId);
    const { decision, systemMessage } = await session.stop();
    expect([decision, systemMessage]).toEqual([undefined, expect.stringContaining("(run_state_unknown): ")]);
    expect(problemsOf(session.project).map(({ code }) => code)).toEqual(["run_state_unknown"]);
    expect(session.project.journal(runId)).toEqual(before);
  });

  it("L8: journal of a newer version: freed, told once, nothing changed", async () => {
    const { session, runId } = await looped();
    await session.stop();
    appendUnknownEvent(session, runId);
    const before = contents(session.project);
    const { decision, systemMessage } = await session.stop();
    expect([decision, systemMessage]).toEqual([undefined, expect.stringContaining("ENGINE_TOO_OLD")]);
    expect(contents(session.project)).toEqual(before);
    expect(await session.stop()).toEqual({});
    expect(problemsOf(session.project).map(({ code }) => code)).toEqual(["ENGINE_TOO_OLD", "ENGINE_TOO_OLD"]);
  });
});

describe("a turn of which nothing is known", () => {
  it("L8: missing transcript: paused and told when there is no message either; resumable", async () => {
    const { session, runId } = await looped();
    expect(await session.stop("Working.")).toMatchObject({ decision: "block" });
    const silent = { last_assistant_message: undefined };
    expect(await session.hook("stop", silent)).toEqual({
      systemMessage: `⚠️  Babysitter run: Transcript file not found, and the host supplied no last message.\nThe loop is paused and nothing is lost. To resume: babysitter loop:resume ${runId}`,
    });
    expect(session.codes(runId)).toEqual(["continue_loop", "transcript_missing"]);
    await session.project.ask(["loop:resume", runId]);
    expect(await session.stop("Working.", { transcript_path: undefined })).toMatchObject({ decision: "block" });
  });
});

describe("a transcript that cannot be read", () => {
  it("L8: bad JSON: paused and told when there is no message either; resumable", async () => {
    const { session, runId } = await looped();
    fs.mkdirSync(path.dirname(session.transcript), { recursive: true });
    fs.writeFileSync(session.transcript, '{"type":"message","role":"assistant","message":{"content":[{"type":"te\n');
    expect(await session.stop("Working.")).toMatchObject({ decision: "block" });
    const { decision, systemMessage } = await session.hook("stop", { last_assistant_message: undefined });
    expect(decision).toBeUndefined();
    expect(systemMessage?.split("\n")).toEqual([
      "⚠️  Babysitter run: Failed to parse assistant message JSON",
      expect.stringMatching(/^ {3}Error: .*JSON/u),
      `The loop is paused and nothing is lost. To resume: babysitter loop:resume ${runId}`,
    ]);
    expect(session.codes(runId)).toEqual(["continue_loop", "transcript_unreadable"]);
    await session.project.ask(["loop:resume", runId]);
    expect(await session.stop("Working.")).toMatchObject({ decision: "block" });
  });
});

describe("a place that cannot be written", () => {
  it("L8: read-only home and project: freed or held, but never broken, and told", async () => {
    const { session, runId } = await looped();
    const places = [path.join(session.project.home, ".a5c"), session.project.dir];
    for (const place of places) await execute("chmod", ["-R", "a+rX,a-w", place], { cwd: "/", home: "/" });
    fs.chmodSync(session.project.root, 0o755);
    const before = session.project.tree(session.project.root);
    const answer = await stopAsNobody(session);
    expect(answer.decision).toBeUndefined();
    expect(answer.systemMessage).toContain("Babysitter (engine_error)");
    for (const name of Object.keys(before)) expect(session.project.tree(session.project.root)).toHaveProperty([name]);
    expect(session.stops(runId)).toEqual([]);
    for (const place of places) await execute("chmod", ["-R", "u+w", place], { cwd: "/", home: "/" });
    expect(await session.stop()).toMatchObject({ decision: "block" });
  });

  it("L8: a home that is read-only alone: the loop continues, for the journal can be written", async () => {
    const { session, runId } = await looped();
    const home = path.join(session.project.home, ".a5c");
    await execute("chmod", ["-R", "a+rwX", session.project.dir], { cwd: "/", home: "/" });
    await execute("chmod", ["-R", "a+rX,a-w", home], { cwd: "/", home: "/" });
    fs.chmodSync(session.project.root, 0o755);
    expect((await stopAsNobody(session)).decision).toBe("block");
    expect(session.stops(runId)).toMatchObject([{ decision: "block", iteration: 1 }]);
    await execute("chmod", ["-R", "u+w", home], { cwd: "/", home: "/" });
  });
});

/** Permissions mean nothing to root: the hook runs as someone else, from a copy that everyone can read. */
async function stopAsNobody(session: HostSession): Promise<ReturnType<typeof answerOf>> {
  const { project } = session;
  const where = {
    cwd: project.dir,
    home: project.home,
    stdin: JSON.stringify({ ...session.input("stop"), last_assistant_message: "x" }),
  };
  const args = ["hook:run", "--hook-type", "stop", "--harness", "claude-code"];
  if (process.getuid?.() !== 0) return answerOf(await execute(process.execPath, [CLI, ...args], where));
  const programs = path.join(project.root, "programs");
  fs.mkdirSync(programs);
  for (const name of ["babysitter.cjs", "host-hooks.cjs", "strip-types.cjs"])
    fs.copyFileSync(path.join(path.dirname(CLI), name), path.join(programs, name));
  const first = path.join(programs, "as-nobody.cjs");
  fs.writeFileSync(first, "process.setgroups([]); process.setgid(65534); process.setuid(65534);\n");
  return answerOf(
    await execute(process.execPath, ["--require", first, path.join(programs, "babysitter.cjs"), ...args], where),
  );
}

/** An event that this version does not know, chained as its writer would. */
function appendUnknownEvent(session: HostSession, runId: string): void {
  const head = session.events(runId).at(-1) as unknown as JournalEvent;
  const draft = { type: "LOOP_DREAMT", timestamp: head.timestamp, payload: { of: "sheep" } } as unknown as EventDraft;
  const place = nextPlace(head);
  const file = path.join(session.runDir(runId), "journal", eventFileName(place));
  fs.writeFileSync(file, renderEvent(sealEvent(draft, place, { prev: head.checksum })));
}
