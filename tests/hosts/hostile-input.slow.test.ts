/** Whatever comes on stdin or stands on the command line: the host gets one object and exit code 0. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { cleanEnvironment, type Finished } from "../fixtures/command-line.js";
import { answerOf, CLI, callHook, HostSession, problemsOf } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const STOP = ["--hook-type", "stop", "--harness", "claude-code"];

describe("stdin", () => {
  it("L8: bad JSON: input that is not an event object frees the session and changes nothing", async () => {
    const session = new HostSession();
    await session.startLoop("Do it.");
    const before = session.project.tree(session.project.root);
    const good = session.input("stop");
    const bad: Record<string, string | Buffer> = {
      empty: "",
      blank: " \n\n",
      array: JSON.stringify([good]),
      number: "7",
      null: "null",
      text: JSON.stringify(JSON.stringify(good)),
      "half of it": JSON.stringify(good).slice(0, -5),
      "two of them": `${JSON.stringify(good)}\n${JSON.stringify(good)}`,
      "a log line before it": `starting…\n${JSON.stringify(good)}`,
      "another event": JSON.stringify({ ...good, hook_event_name: "SessionStart" }),
      "a subagent": JSON.stringify({ ...good, agent_id: "a1" }),
      "no session": JSON.stringify({ ...good, session_id: undefined }),
      "a number for a session": JSON.stringify({ ...good, session_id: 12345 }),
      "a path for a session": JSON.stringify({ ...good, session_id: `../state/${session.sessionId}` }),
      "far up": JSON.stringify({ ...good, session_id: "../../x" }),
      "an inherited name": JSON.stringify({ ...good, session_id: "__proto__" }),
      "invalid UTF-8": Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
      NUL: "\0\0\0",
    };
    const answers = await Promise.all(
      Object.entries(bad).map(async ([name, bytes]) => [name, await hookWith(session.project, bytes)]),
    );
    expect(answers).toEqual(Object.keys(bad).map((name) => [name, {}]));
    fs.rmSync(path.join(session.project.home, ".a5c", "log"), { recursive: true, force: true });
    expect(session.project.tree(session.project.root)).toEqual(before);
  });

  it("L8: bad JSON: the user is told, by the log and by the next session's first message", async () => {
    const { project } = new HostSession();
    expect(await hookWith(project, "{")).toEqual({});
    expect(problemsOf(project)).toMatchObject([{ code: "input_invalid" }]);
    const answer = await new HostSession(project).hook("session-start", { source: "startup" });
    expect(answer.hookSpecificOutput?.additionalContext).toContain("input_invalid");
  });

  it("bytes that are no UTF-8 within the message do not hide who speaks", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.", ["--completion-promise", "DONE"]);
    const text = JSON.stringify({
      ...session.input("stop"),
      last_assistant_message: "HERE\n\n<promise>DONE</promise>",
    });
    const [head, tail] = text.split("HERE") as [string, string];
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(tail)]);
    expect(await hookWith(session.project, bytes)).toHaveProperty("systemMessage");
    expect(session.codes(runId)).toEqual(["promise_matched"]);
  });

  it("a stop without prompt_id, or with one that is no text, is a stop", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.");
    expect(await session.stop("Working.", { prompt_id: undefined })).toMatchObject({ decision: "block" });
    expect(await session.stop("Working.", { prompt_id: 7 })).toMatchObject({ decision: "block" });
    expect(session.stops(runId).map(({ turn }) => turn)).toEqual([undefined, undefined]);
  });

  it("50 MB are not read to the end", async () => {
    const session = new HostSession();
    await session.startLoop("Do it.");
    const text = JSON.stringify({ ...session.input("stop"), last_assistant_message: "x".repeat(50 * 1024 * 1024) });
    expect(await hookWith(session.project, text)).toEqual({});
  });

  it("what was said counts although stdin is never closed", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.");
    const text = JSON.stringify({ ...session.input("stop"), last_assistant_message: "Working." });
    const answers = await Promise.all([
      hookWith(session.project, text, { leaveOpen: true }),
      hookWith(session.project, text.slice(0, 20), { leaveOpen: true }),
      hookWith(session.project, "", { leaveOpen: true }),
    ]);
    expect(answers).toEqual([expect.objectContaining({ decision: "block" }), {}, {}]);
    expect(session.codes(runId)).toEqual(["continue_loop"]);
  });

  it("a message of several megabytes in many pieces arrives whole", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.", ["--completion-promise", "DONE"]);
    const says = `${"All of it works. 🎉\n".repeat(200_000)}\n<promise>DONE</promise>`;
    expect(await session.stop(says)).toHaveProperty("systemMessage");
    expect(session.codes(runId)).toEqual(["promise_matched"]);
  });
});

describe("the command line", () => {
  it.each([
    ["an unknown hook type", ["--hook-type", "tea-time", "--harness", "claude-code"], "--hook-type must be one of"],
    ["no hook type", ["--harness", "claude-code"], "--hook-type must be one of"],
    ["an unknown host", ["--hook-type", "stop", "--harness", "emacs"], "--harness must be one of claude-code, null"],
    ["an unknown option", [...STOP, "--colour", "red"], "--colour"],
    ["an option without its value", [...STOP, "--state-dir"], "--state-dir"],
    ["a word too many", [...STOP, "stop"], "stop"],
    ["a limit that is none", [...STOP, "--deadline-ms", "soon"], "--deadline-ms"],
  ])("A1: %s: still {} and exit 0, and a line in the log", async (_, args, named) => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.");
    const stdin = JSON.stringify(session.input("stop"));
    expect(await callHook({ project: session.project, args }, stdin)).toEqual({});
    expect(session.stops(runId)).toEqual([]);
    expect(problemsOf(session.project)).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-/u) as string,
        hookType: expect.any(String) as string,
        code: "USAGE",
        message: expect.stringContaining(named) as string,
      },
    ]);
  });

  it("L8: the folder of the session was deleted: the agent may still stop", async () => {
    const session = new HostSession();
    const gone = path.join(session.project.root, "gone");
    fs.mkdirSync(gone);
    const stdin = JSON.stringify({ ...session.input("stop"), cwd: gone, last_assistant_message: "Tidied up." });
    const script = `cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${CLI}' hook:run ${STOP.join(" ")}`;
    expect(await spawned(["/bin/sh", "-c", script], session.project, stdin)).toEqual({});
    const runId = await session.startLoop("Do it.");
    fs.mkdirSync(gone);
    expect(await spawned(["/bin/sh", "-c", script], session.project, stdin)).toMatchObject({ decision: "block" });
    expect(session.codes(runId)).toEqual(["continue_loop"]);
  });

  it("a log with a torn line still tells of the problems in it", async () => {
    const project = new Project();
    await callHook({ project, args: ["--hook-type", "nonsense"] }, "{}");
    fs.appendFileSync(path.join(project.home, ".a5c", "log", "hooks.jsonl"), '{"at":"20');
    const answer = await new HostSession(project).hook("session-start", { source: "startup" });
    expect(answer.hookSpecificOutput?.additionalContext).toContain("Babysitter's hooks had 1 problem in the last day");
  });

  it("L8: no home at all: nothing can be found, nobody is held", async () => {
    const session = new HostSession();
    const stdin = JSON.stringify(session.input("stop"));
    const env = { HOME: "/dev/null/home", BABYSITTER_HOME: "/dev/null/home/.a5c" };
    expect(await callHook({ project: session.project, args: STOP, env }, stdin)).toEqual({});
    expect(await callHook({ project: session.project, args: ["--hook-type", "x"], env }, stdin)).toEqual({});
  });
});

async function hookWith(project: Project, bytes: string | Buffer, { leaveOpen = false } = {}): Promise<object> {
  return spawned([process.execPath, CLI, "hook:run", ...STOP], project, bytes, leaveOpen);
}

/** Calls a hook with any bytes; a stdin that stays open is closed when the hook has ended. */
async function spawned(
  [program, ...args]: readonly [string, ...string[]],
  project: Project,
  bytes: string | Buffer,
  leaveOpen = false,
): Promise<object> {
  const child = spawn(program, args, { cwd: project.dir, env: cleanEnvironment(project.home) });
  onTestFinished(() => void child.kill());
  child.stdin.on("error", () => undefined);
  if (leaveOpen) child.stdin.write(bytes);
  else child.stdin.end(bytes);
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => void (texts[name] += chunk));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once("exit", (...how) => child.once("close", () => resolve(how)) && child.stdin.destroy()),
  );
  return answerOf({ code, signal, ...texts } as Finished);
}
