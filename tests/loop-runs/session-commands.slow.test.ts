import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type LoopDoc, LoopProject, SESSION, told } from "../fixtures/loop-runs/loop-project.js";

const OTHER = ["--session-id", "other"];
const PROCESS = `export async function process(inputs, ctx) {
  await ctx.task({ kind: "agent", id: "work", title: "Work" }, {});
  return { done: true };
}
`;

const doc = async (project: LoopProject, ...args: string[]): Promise<Record<string, unknown>> =>
  (await project.doc(args)) as unknown as Record<string, unknown>;

describe("session files", () => {
  it("L2: session:init writes the file in the known form, byte for byte with its prompt", async () => {
    const project = new LoopProject();
    const prompt = "Build a shed\n---\niteration: 99\n";
    const made = await project.doc(
      ["session:init", "--session-id", SESSION, "--prompt-file", "-", "--completion-promise", "BUILT"],
      {
        stdin: prompt,
      },
    );
    expect(made).toMatchObject({ sessionId: SESSION, iteration: 1, runId: "", stateFile: project.sessionFile() });
    const text = fs.readFileSync(project.sessionFile(), "utf8");
    expect(text).toMatch(
      /^---\nactive: true\niteration: 1\nmax_iterations: 50\ncompletion_promise: "BUILT"\nrun_id: ""\nstarted_at: "[^"]+Z"\nlast_iteration_at: "[^"]+Z"\niteration_times:\n---\n\nBuild a shed\n---\niteration: 99\n\n$/u,
    );
    expect(await doc(project, "session:state", "--session-id", SESSION)).toMatchObject({
      found: true,
      prompt,
      state: {
        active: true,
        iteration: 1,
        maxIterations: 50,
        completionPromise: "BUILT",
        runId: "",
        iterationTimes: [],
      },
      stateFile: project.sessionFile(),
    });
    expect(fs.statSync(project.sessionFile()).mode & 0o077).toBe(0);
  });

  it("L2: with --plugin-root and --state-dir the file is where the plugin looks for it", async () => {
    const project = new LoopProject();
    const inPlugin = await project.doc(["session:init", "a", "--session-id", "p", "--plugin-root", "plugin"]);
    expect(inPlugin.stateFile).toBe(project.path("plugin", "skills", "babysit", "state", "p.md"));
    const named = await project.doc(["session:init", "a", "--session-id", "d", "--state-dir", "here"]);
    expect(named.stateFile).toBe(project.path("here", "d.md"));
    expect(await doc(project, "session:state", "--session-id", "p")).toEqual({ found: false, sessionId: "p" });
    expect(await doc(project, "session:state", "--session-id", "p", "--plugin-root", "plugin")).toMatchObject({
      found: true,
    });
    // The host's variable is not a wish of the caller: its folder is lost with every update.
    const env = { CLAUDE_PLUGIN_ROOT: project.path("plugin") };
    expect((await project.doc(["session:init", "a", "--session-id", "e"], { env })).stateFile).toBe(
      project.sessionFile("e"),
    );
  });

  it.each(["../x", "a/b", ".hidden", "a..b", "x".repeat(129), "ä"])("L2: %s is no session id", async (id) => {
    const project = new LoopProject();
    for (const args of [
      ["session:init", "a"],
      ["session:state"],
      ["session:update", "--iteration", "2"],
      ["session:check-iteration"],
    ])
      expect(told(await project.refuse([...args, "--session-id", id]))).toEqual([2, "INVALID_ID", expect.any(String)]);
    expect(fs.existsSync(path.join(project.home, ".a5c", "state"))).toBe(false);
  });

  it("L2: what is missing is named", async () => {
    const project = new LoopProject();
    const refused = async (...args: string[]): Promise<unknown> => (await project.refuse(args)).message;
    expect(await refused("session:init", "a")).toContain("--session-id is missing");
    expect(await refused("session:state", "--session-id", "")).toContain("--session-id is missing");
    expect(await refused("session:associate", ...OTHER)).toContain("--run-id is missing");
    expect(await refused("session:resume", ...OTHER)).toContain("--run-id is missing");
    expect(await refused("session:last-message")).toContain("--transcript-path is missing");
    expect(await refused("session:iteration-message")).toContain("--iteration is missing");
    expect(await project.refuse(["session:update", ...OTHER, "--iteration", "2"])).toMatchObject({
      code: "SESSION_NOT_FOUND",
    });
    expect(await project.refuse(["session:associate", ...OTHER, "--run-id", "none"])).toMatchObject({
      code: "RUN_NOT_FOUND",
    });
  });

  it("L2: session:update changes what it is told to and keeps the rest, also fields of others", async () => {
    const project = new LoopProject();
    await doc(project, "session:init", "Build", ...OTHER);
    const file = project.sessionFile("other");
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("active: true", "active: true\nmood: sunny"));
    expect(
      await doc(
        project,
        "session:update",
        ...OTHER,
        "--iteration",
        "4",
        "--iteration-times",
        "1,2,3,4",
        "--last-iteration-at",
        "2026-03-02T10:05:30Z",
      ),
    ).toMatchObject({
      success: true,
      state: { iteration: 4, iterationTimes: [2, 3, 4], active: true },
      prompt: "Build",
    });
    expect(fs.readFileSync(file, "utf8")).toContain("mood: sunny\n");
    await doc(project, "session:update", ...OTHER, "--active", "false");
    expect(await doc(project, "session:check-iteration", ...OTHER)).toMatchObject({
      shouldContinue: false,
      reason: "loop_inactive",
    });
    const moved = await doc(project, "session:update", ...OTHER, "--delete");
    expect(moved["deleted"]).toBe(true);
    expect([fs.existsSync(file), fs.existsSync(String(moved["stateFile"]))]).toEqual([false, true]);
  });

  it.each([
    ["--active", "maybe"],
    ["--iteration", "08x"],
    ["--iteration-times", "1;2"],
    ["--last-iteration-at", "yesterday"],
    ["--max-iterations", "-1"],
    ["--iteration", ""],
  ])("L2: session:update %s %s is refused and the file is as it was", async (flag, value) => {
    const project = new LoopProject();
    await doc(project, "session:init", "Build", ...OTHER);
    const before = fs.readFileSync(project.sessionFile("other"), "utf8");
    expect((await project.refuse(["session:update", ...OTHER, flag, value])).exit).toBe(2);
    expect(fs.readFileSync(project.sessionFile("other"), "utf8")).toBe(before);
  });

  it("L2: the file of a run that is under way is a view: it is changed by the loop commands, not here", async () => {
    const project = new LoopProject();
    const { runId } = await project.start(["Tidy"]);
    expect(told(await project.refuse(["session:update", "--session-id", SESSION, "--iteration", "9"]))).toEqual([
      7,
      "SESSION_BOUND",
      expect.stringContaining(runId),
    ]);
    expect((await project.refuse(["session:init", "Other", "--session-id", SESSION])).message).toBe(
      `Session already associated with run: ${runId}`,
    );
  });

  it("L5: session:check-iteration answers the known documents", async () => {
    const project = new LoopProject();
    const check = (): Promise<Record<string, unknown>> => doc(project, "session:check-iteration", ...OTHER);
    expect(await check()).toMatchObject({ found: false, shouldContinue: false });
    await doc(project, "session:init", "Build", ...OTHER, "--max-iterations", "9");
    expect(await check()).toEqual({
      found: true,
      shouldContinue: true,
      nextIteration: 2,
      updatedIterationTimes: expect.any(Array),
      iteration: 1,
      maxIterations: 9,
      runId: "",
      prompt: "Build",
    });
    const now = new Date().toISOString();
    await doc(
      project,
      "session:update",
      ...OTHER,
      "--iteration",
      "5",
      "--iteration-times",
      "8,8,9",
      "--last-iteration-at",
      now,
    );
    expect(await check()).toMatchObject({
      found: true,
      shouldContinue: false,
      reason: "iteration_too_fast",
      threshold: 15,
      stopMessage: expect.stringMatching(/^Average iteration time too fast \([\d.]+s <= 15s\)$/u),
    });
    await doc(project, "session:update", ...OTHER, "--iteration", "9");
    expect(await check()).toMatchObject({
      reason: "max_iterations_reached",
      stopMessage: "Max iterations (9) reached",
    });
  });

  it("L2: a corrupt file is named and left alone; a new one quarantines it", async () => {
    const project = new LoopProject();
    await doc(project, "session:init", "Build", ...OTHER);
    const file = project.sessionFile("other");
    fs.writeFileSync(file, "---\niteration: many\n---\n");
    expect(told(await project.refuse(["session:state", ...OTHER]))).toEqual([
      8,
      "SESSION_FILE_CORRUPT",
      expect.stringContaining(file),
    ]);
    expect(fs.readFileSync(file, "utf8")).toContain("many");
    await doc(project, "session:init", "Anew", ...OTHER);
    const aside = fs.readdirSync(path.join(path.dirname(file), "quarantine"));
    expect(aside).toHaveLength(1);
    expect(await doc(project, "session:state", ...OTHER)).toMatchObject({ prompt: "Anew" });
  });

  it("L2: session:last-message finds the last message, and the promise in it", async () => {
    const project = new LoopProject();
    const row = (text: string): string =>
      `${JSON.stringify({ type: "assistant", uuid: text, message: { role: "assistant", id: "m", content: [{ type: "text", text }] } })}\n`;
    project.write({
      "plain.jsonl": row("Hello"),
      "promise.jsonl": row("Done.\n<promise>ALL\n  DONE</promise>"),
      "fenced.jsonl": row("I would say\n```\n<promise>DONE</promise>\n```"),
      "seed.jsonl": `${JSON.stringify({ type: "message", role: "assistant", message: { content: [{ type: "text", text: "Old form" }] } })}\n`,
      "empty.jsonl": "",
    });
    const last = (file: string): Promise<Record<string, unknown>> =>
      doc(project, "session:last-message", "--transcript-path", file);
    expect(await last("plain.jsonl")).toEqual({ found: true, text: "Hello", hasPromise: false, promiseValue: null });
    expect(await last("promise.jsonl")).toMatchObject({ hasPromise: true, promiseValue: "ALL DONE" });
    expect(await last("fenced.jsonl")).toMatchObject({ hasPromise: false });
    expect(await last("seed.jsonl")).toMatchObject({ text: "Old form" });
    expect(await last("empty.jsonl")).toEqual({ found: false });
    expect(await last("none.jsonl")).toEqual({ found: false, error: expect.any(String) });
  });
});

describe("sessions and runs", () => {
  it("L2: session:associate binds a session to a run, once", async () => {
    const project = new LoopProject({ "p.mjs": PROCESS });
    await project.create("p.mjs", "first");
    await project.create("p.mjs", "second");
    const bound = await project.doc(["session:associate", "--session-id", SESSION, "--run-id", "first"]);
    expect(bound).toMatchObject({ sessionId: SESSION, runId: "first", stateFile: project.sessionFile() });
    expect(fs.readFileSync(project.sessionFile(), "utf8")).toContain("max_iterations: 256\n");
    expect(told(await project.refuse(["session:associate", "--session-id", SESSION, "--run-id", "second"]))).toEqual([
      7,
      "SESSION_BOUND",
      "Session already associated with run: first",
    ]);
    // The same again changes nothing.
    const before = project.journal("first");
    await project.doc(["session:associate", "--session-id", SESSION, "first"]);
    expect(project.journal("first")).toEqual(before);
    expect((await project.stop("working")).decision).toBe("block");
  });

  it("L2: session:resume takes a run into a session with the words that agents know", async () => {
    const project = new LoopProject({ "p.mjs": PROCESS });
    await project.create("p.mjs", "first");
    await project.ask(["run:iterate", "first"]);
    const resumed = (await project.doc(
      ["session:resume", "--session-id", SESSION, "--run-id", "first", "--max-iterations", "7"],
      { as: "person" },
    )) as LoopDoc & {
      runState: string;
      maxIterations: number;
    };
    expect(resumed).toMatchObject({
      runId: "first",
      processId: "test/p",
      runState: "waiting",
      iteration: 1,
      maxIterations: 7,
    });
    const { goal } = await project.status("first");
    expect(goal).toBe(
      "Resume Babysitter run: first\n\nProcess: test/p\nCurrent state: waiting\n\nContinue orchestration using run:iterate loop.",
    );
    const stop = await project.stop("hm");
    expect(stop.reason).toMatch(/^Babysitter iteration 2 \| Waiting on: agent\. /u);
  });

  it("L2: session:resume gives a paused loop its new limit", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", "--run-id", "shed", "--max-iterations", "1"]);
    expect((await project.stop("one")).code).toBe("max_iterations_reached");
    await project.doc(["session:resume", "--session-id", "next", "--run-id", "shed", "--max-iterations", "5"], {
      as: "person",
    });
    expect(await project.status("shed")).toMatchObject({
      status: "active",
      limits: { iterations: 5 },
      session: { sessionId: "next" },
    });
  });

  it("L9: an agent cannot raise its limits by session:resume, nor take a run from a session that is at work", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", "--run-id", "shed", "--max-iterations", "1"]);
    const before = project.journal("shed");
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION };
    const raise = ["session:resume", "--run-id", "shed", "--max-iterations", "99"];
    expect(told(await project.refuse(raise, { env }))).toEqual([7, "ONLY_FOR_PEOPLE", expect.any(String)]);
    for (const command of ["session:resume", "session:associate"])
      expect(told(await project.refuse([command, "--session-id", "thief", "--run-id", "shed"]))).toEqual([
        7,
        "SESSION_BOUND",
        `Session ${SESSION} is working on run shed.`,
      ]);
    expect(project.journal("shed")).toEqual(before);
  });

  it("L2: a run that has ended is not resumed", async () => {
    const project = new LoopProject({ "p.mjs": "export const process = async () => 1;\n" });
    await project.create("p.mjs", "first");
    await project.ask(["run:iterate", "first"]);
    expect(told(await project.refuse(["session:resume", "--session-id", SESSION, "--run-id", "first"]))).toEqual([
      7,
      "RUN_FINISHED",
      expect.stringContaining("completed"),
    ]);
  });

  it("L2: a file that session:init has written becomes a run at the end of the next turn", async () => {
    const project = new LoopProject();
    await project.doc([
      "session:init",
      "Build a shed",
      "--session-id",
      SESSION,
      "--completion-promise",
      "BUILT",
      "--max-iterations",
      "4",
    ]);
    const stop = await project.stop("hammering");
    expect([stop.decision, stop.reason]).toEqual(["block", "Build a shed"]);
    expect(stop.message).toBe("🔄 Babysitter iteration 2 | To stop: output <promise>BUILT</promise> (ONLY when TRUE!)");
    const [runId] = project.runs();
    expect(fs.readFileSync(project.sessionFile(), "utf8")).toContain(`run_id: "${runId}"`);
    expect((await project.stop("<promise>BUILT</promise>")).code).toBe("promise_matched");
  });

  it("L2: so does one that someone has written by hand, with dashes and fields in its prompt", async () => {
    const project = new LoopProject();
    const prompt = "Build\n---\niteration: keep this\n---\n";
    fs.mkdirSync(path.dirname(project.sessionFile()), { recursive: true });
    fs.writeFileSync(
      project.sessionFile(),
      `---\nactive: true\niteration: 3\nmax_iterations: 8\ncompletion_promise: "DONE"\nstarted_at: "2026-03-02T10:00:00Z"\n---\n\n${prompt}\n`,
    );
    expect((await project.stop("hm")).reason).toBe(prompt);
    expect(await project.status()).toMatchObject({ goal: prompt, iteration: 4, limits: { iterations: 8 } });
  });

  it.each([
    ["of a prompt", ""],
    ["of a run", '\nrun_id: "first"'],
  ])("L2: the file %s written by hand keeps its started_at, as long as that is possible", async (_, runId) => {
    const project = new LoopProject({ "p.mjs": PROCESS });
    await project.create("p.mjs", "first");
    const stopOf = async (sessionId: string, startedAt: string): Promise<string | undefined> => {
      const file = project.sessionFile(sessionId);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(
        file,
        `---\nactive: true\niteration: 5\nmax_iterations: 20\nstarted_at: "${startedAt}"${runId}\n---\n\nBuild\n`,
      );
      expect((await project.stop("hm", { session_id: sessionId })).decision).toBe("block");
      return /^started_at: "(.*)"$/mu.exec(fs.readFileSync(file, "utf8"))?.[1];
    };
    expect(await stopOf("one", "2026-01-20T10:15:30Z")).toBe("2026-01-20T10:15:30Z");
    const run = runId === "" ? project.runs().find((name) => name !== "first") : "first";
    expect((await project.doc(["run:status", run as string])).loop).toMatchObject({
      startedAt: "2026-01-20T10:15:30Z",
    });
    if (runId !== "") return;
    for (const [index, impossible] of ["2999-01-01T00:00:00Z", "yesterday"].entries())
      expect(Date.parse((await stopOf(`other-${index}`, impossible)) ?? "")).toBeLessThanOrEqual(Date.now());
  });

  it("L2: a file of a session that names a run by hand binds that run", async () => {
    const project = new LoopProject({ "p.mjs": PROCESS });
    await project.create("p.mjs", "first");
    await project.doc(["session:init", "Work", "--session-id", SESSION, "--run-id", "first"]);
    expect((await project.stop("hm")).decision).toBe("block");
    expect(project.events("first", "SESSION_BOUND")[0]?.payload).toMatchObject({ sessionId: SESSION, by: "adoption" });
  });

  it("L2: active: false in the file lets the agent stop, and says how to resume", async () => {
    const project = new LoopProject();
    await project.start(["Tidy", "--run-id", "shed"]);
    fs.writeFileSync(
      project.sessionFile(),
      fs.readFileSync(project.sessionFile(), "utf8").replace("active: true", "active: false"),
    );
    const stop = await project.stop("hm");
    expect(stop.decision).toBeUndefined();
    expect(stop.message).toContain("babysitter loop:resume shed");
    expect(await project.status("shed")).toMatchObject({ status: "paused", paused: { code: "session_inactive" } });
  });

  it("L2: session:iteration-message prints the text that continues a loop", async () => {
    const project = new LoopProject({
      "p.mjs": PROCESS,
      ".claude/skills/sweep/SKILL.md": "",
      ".claude/agents/mop.md": "",
    });
    await project.create("p.mjs", "first");
    const message = async (): Promise<Record<string, unknown>> =>
      doc(project, "session:iteration-message", "--iteration", "3", "--run-id", "first");
    expect(await message()).toEqual({
      systemMessage:
        "Babysitter iteration 3 | Continue orchestration (run:iterate).\n\nAvailable skills and agents: skill sweep, agent mop",
      iteration: 3,
      runId: "first",
      runState: "created",
      completionProof: null,
      pendingKinds: "",
      skillContext: ["skill sweep", "agent mop"],
    });
    await project.ask(["run:iterate", "first"]);
    expect(await message()).toMatchObject({ runState: "waiting", pendingKinds: "agent" });
  });
});
