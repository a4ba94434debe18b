/** Which session works on which loop, through everything that a host does to its sessions. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentEnvironment, clockAhead, HostSession, rows } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const PROCESS = { "p.mjs": "export async function p(i, ctx) { return ctx.task({ kind: 'agent', title: 't' }); }\n" };
const GOAL = "Build the shed,\nwith a door.";

/** What a session is told when it starts; empty when nothing. */
async function toldAtStart(session: HostSession, source: string): Promise<string> {
  const answer = await session.hook("session-start", { source });
  return answer.hookSpecificOutput?.additionalContext ?? "";
}

describe("one session, one run", () => {
  it("L9: re-entrant binding refused with `Session already associated with run: …`", async () => {
    const session = new HostSession(new Project(PROCESS));
    await session.createRun("p.mjs#p", "first");
    await session.project.create("p.mjs#p", "second");
    const me = ["--session-id", session.sessionId, "--harness", "claude-code"];
    const entry = ["--process-id", "x", "--entry", "p.mjs#p"];
    const refused = await Promise.all([
      session.project.refuse(["run:create", ...entry, "--run-id", "third", ...me]),
      session.project.refuse(["session:associate", "--run-id", "second", ...me]),
      session.project.refuse(["session:resume", "--run-id", "second", ...me]),
      session.project.refuse(["loop:start", "Another task.", ...me]),
      session.project.refuse(["loop:start", "Another task."], { env: agentEnvironment(session.sessionId) }),
      session.project.refuse(["session:init", "Another task.", "--session-id", session.sessionId]),
    ]);
    for (const { exit, code, message } of refused)
      expect([exit, code, message]).toEqual([7, "SESSION_BOUND", "Session already associated with run: first"]);
    expect(fs.readdirSync(session.project.runsDir).filter((name) => !name.startsWith("."))).toEqual([
      "first",
      "second",
    ]);
    expect(fs.readFileSync(session.file, "utf8")).toContain('run_id: "first"');
    expect(session.events("second").map(({ type }) => type)).toEqual(["RUN_CREATED"]);
  });

  it("L9: the same run again, a paused one and a finished one do not get in the way", async () => {
    const session = new HostSession(new Project(PROCESS));
    await session.createRun("p.mjs#p", "first");
    const me = ["--session-id", session.sessionId];
    await session.project.ask(["session:associate", "--run-id", "first", ...me]);
    await session.project.ask(["loop:pause", "first"], { as: "person" });
    await session.createRun("p.mjs#p", "second");
    expect(fs.readFileSync(session.file, "utf8")).toContain('run_id: "second"');
    await session.project.ask(["run:cancel", "second"], { as: "person" });
    await session.project.ask(["loop:resume", "first", ...me], { as: "person" });
    expect(fs.readFileSync(session.file, "utf8")).toContain('run_id: "first"');
    expect(await session.stop()).toMatchObject({ decision: "block" });
  });

  it("L9: changes to a paused run do not affect a session that now works on another one", async () => {
    const session = new HostSession(new Project(PROCESS));
    for (const change of [["loop:amend", "--max-iterations", "9"], ["loop:resume"], ["run:cancel"]]) {
      const [first, second] = ["first", "second"].map((name) => `${name}-${change[0]?.split(":")[1]}`) as [
        string,
        string,
      ];
      await session.createRun("p.mjs#p", first);
      await session.project.ask(["loop:pause", first], { as: "person" });
      await session.createRun("p.mjs#p", second);
      const [verb = "", ...options] = change;
      await session.project.ask([verb, first, ...options], { as: "person" });
      expect(fs.readFileSync(session.file, "utf8")).toContain(`run_id: "${second}"`);
      expect(await session.stop()).toMatchObject({ decision: "block" });
      expect(session.codes(second)).toEqual(["continue_loop"]);
      await session.project.ask(["run:cancel", second], { as: "person" });
      await session.stop();
    }
  });

  it("L9: a file of a run that is gone does not keep the session from another one", async () => {
    const session = new HostSession(new Project(PROCESS));
    await session.createRun("p.mjs#p", "first");
    fs.rmSync(session.runDir("first"), { recursive: true });
    await session.createRun("p.mjs#p", "second");
    expect(await session.stop()).toMatchObject({ decision: "block" });
    expect(session.codes("second")).toEqual(["continue_loop"]);
  });

  it("L9: a process for the session's own prompt loop becomes part of the same run", async () => {
    const session = new HostSession(new Project(PROCESS));
    const runId = await session.startLoop(GOAL);
    const args = ["run:create", "--process-id", "x", "--entry", "p.mjs#p", "--harness", "claude-code"];
    const doc = await session.project.ask(args, { env: agentEnvironment(session.sessionId) });
    expect(doc).toMatchObject({ runId, attached: true });
    const { reason } = await session.stop("<promise>DONE</promise>");
    expect(reason).toContain("A promise does not end this loop: the run has not completed.");
  });
});

describe("/clear", () => {
  it("L9: the new session is told of the loop and not bound; loop:resume as told adopts it", async () => {
    const old = new HostSession();
    const runId = await old.startLoop(GOAL);
    await old.stop();
    expect(await old.hook("session-end", { reason: "clear" })).toEqual({});
    const fresh = new HostSession(old.project);
    const told = await toldAtStart(fresh, "clear");
    expect(told).toContain("[LOOP RESUME] Active loop detected\nSpec: Build the shed, with a door.\n");
    expect(told).toContain("This loop does not belong to this session. Leave it alone unless the user asks for it;");
    expect(await fresh.stop("Hello.")).toEqual({});
    expect(fs.existsSync(fresh.file)).toBe(false);
    expect(old.stops(runId)).toHaveLength(1);

    const command = /babysitter (loop:resume .*)$/mu.exec(told)?.[1] as string;
    await fresh.project.ask(command.split(" "), { env: agentEnvironment(fresh.sessionId) });
    expect(await fresh.stop()).toMatchObject({ decision: "block", reason: GOAL });
    expect(old.stops(runId)).toMatchObject([{ iteration: 1 }, { iteration: 2, sessionId: fresh.sessionId }]);
    // The old one, should it ever come back, is let go.
    expect((await old.stop()).decision).toBeUndefined();
    expect(await old.stop()).toEqual({});
  });

  it("L9: other ends of a session leave the loop with it", async () => {
    const session = new HostSession();
    await session.startLoop(GOAL);
    for (const reason of ["other", "prompt_input_exit", "logout"])
      expect(await session.hook("session-end", { reason })).toEqual({});
    expect(await toldAtStart(session, "resume")).toContain(`Task:\n${GOAL}`);
    expect(await session.stop()).toMatchObject({ decision: "block" });
  });
});

describe("fork, resume, compaction", () => {
  it("L9: a fork has a new ID and is not looped; the original continues", async () => {
    const session = new HostSession();
    const runId = await session.startLoop(GOAL);
    const fork = new HostSession(session.project);
    // 2.1.325 says so; 2.1.197 starts the fork under the old id.
    expect(await toldAtStart(fork, "fork")).toContain("This loop does not belong to this session.");
    expect(await toldAtStart(session, "resume")).toContain(`Run: ${runId}`);
    expect(await fork.stop("<promise>DONE</promise>")).toEqual({});
    expect(await fork.hook("user-prompt-submit", { prompt: "hi" })).toEqual({});
    expect(session.stops(runId)).toEqual([]);
    expect(await session.stop()).toMatchObject({ decision: "block" });
  });

  it("L9: resume and compaction: the context says where it stands, with the task", async () => {
    const session = new HostSession(new Project(PROCESS));
    const runId = await session.startLoop(GOAL, [
      "--completion-promise",
      "BUILT",
      "--step",
      "Walls",
      "--shape",
      "tool",
    ]);
    await session.stop();
    for (const [source, ...broken] of [["resume", "The last turn was cut short."], ["compact"]] as const) {
      expect(await toldAtStart(session, source)).toBe(
        [
          "[LOOP RESUME] Active loop detected",
          "Spec: Build the shed, with a door.",
          "Progress: 0/1 steps | Iteration: 2",
          "Unmet criteria: none",
          "Next: Walls",
          `Run: ${runId}`,
          ...broken,
          `Task:\n${GOAL}`,
          `Continue with the task. To check its status: babysitter loop:status ${runId}. Only when everything is really done, output <promise>BUILT</promise> alone on a line.`,
        ].join("\n"),
      );
    }
    expect(session.stops(runId)).toHaveLength(1);
  });

  it("L9: the context of a run names the next command", async () => {
    const session = new HostSession(new Project(PROCESS));
    await session.createRun("p.mjs#p", "r", ["--prompt", GOAL]);
    const told = await toldAtStart(session, "compact");
    expect(told).toContain(
      `Run: r\nTask:\n${GOAL}\nContinue orchestration (run:iterate). Next: babysitter run:iterate r --json`,
    );
  });

  it("L9: a task of any length fits: a long one is named", async () => {
    const session = new HostSession();
    const runId = await session.startLoop(`Head.\n${"x".repeat(100_000)}`);
    const told = await toldAtStart(session, "compact");
    expect(told.length).toBeLessThan(9_500);
    expect(told).toContain(`Task: babysitter loop:status ${runId} --json shows all of it.`);
    const status = await session.project.run(["loop:status", runId, "--json"]);
    expect(status.stdout).toContain("x".repeat(100_000));
  });

  it("L9: a paused loop is told as paused", async () => {
    const session = new HostSession();
    const runId = await session.startLoop(GOAL);
    await session.project.ask(["loop:pause", runId, "--reason", "Lunch."], { as: "person" });
    const told = await toldAtStart(session, "resume");
    expect(told).toContain(
      `The loop is paused (by_request): Lunch.\nOnly the user may resume it, by typing: babysitter loop:resume ${runId}`,
    );
  });
});

describe("adoption", () => {
  it("L9: only by loop:resume, and from a session at work only with --take", async () => {
    const owner = new HostSession();
    const runId = await owner.startLoop(GOAL);
    await owner.stop();
    const other = new HostSession(owner.project);
    await other.hook("session-start", { source: "startup" });
    const env = agentEnvironment(other.sessionId);
    const refused = await other.project.refuse(["loop:resume", runId], { env });
    expect([refused.code, refused.message]).toEqual([
      "SESSION_BOUND",
      `Session ${owner.sessionId} is working on run ${runId}.`,
    ]);
    expect(await other.stop()).toEqual({});
    const take = ["loop:resume", runId, "--take"];
    expect((await other.project.refuse(take, { env })).code).toBe("ONLY_FOR_PEOPLE");
    await other.project.ask([...take, "--session-id", other.sessionId, "--harness", "claude-code"], { as: "person" });
    expect(await other.stop()).toMatchObject({ decision: "block" });
    const lost = await owner.stop();
    expect([lost.decision, lost.systemMessage]).toEqual([undefined, expect.stringContaining(other.sessionId)]);
    expect(await owner.stop()).toEqual({});
  });

  it("L9: a session that has been silent for long gives way without it", async () => {
    const owner = new HostSession();
    const runId = await owner.startLoop(GOAL);
    const other = new HostSession(owner.project);
    other.writes(rows.prompt("Hello."));
    const env = { ...agentEnvironment(other.sessionId), ...clockAhead(owner.project, 3_600) };
    await other.project.ask(["loop:resume", runId], { env });
    expect(await other.stop()).toMatchObject({ decision: "block" });
  });

  it("L9: a session file that was deleted is written again when its session starts", async () => {
    const session = new HostSession(new Project({ "sub/deep/x": "" }));
    const runId = await session.startLoop(GOAL);
    await session.stop();
    const before = fs.readFileSync(session.file, "utf8");
    fs.rmSync(path.dirname(session.file), { recursive: true });
    expect((await session.stop()).systemMessage).toContain("the session file is gone");
    // The host works where the agent has gone to.
    await session.hook("session-start", { source: "resume", cwd: session.project.path("sub", "deep") });
    expect(fs.readFileSync(session.file, "utf8")).toBe(before);
    expect(await session.stop("x", { cwd: session.project.path("sub", "deep") })).toMatchObject({ decision: "block" });
    expect(session.stops(runId)).toMatchObject([{ iteration: 1 }, { iteration: 2 }]);
  });

  it("L9: a loop of another project is found by the session's file, wherever the session works", async () => {
    const session = new HostSession();
    const runId = await session.startLoop(GOAL);
    const elsewhere = path.join(session.project.root, "elsewhere");
    fs.mkdirSync(elsewhere);
    const answer = await session.hook("session-start", { source: "resume", cwd: elsewhere });
    expect(answer.hookSpecificOutput?.additionalContext).toContain(`Run: ${runId}`);
    expect(await session.stop("x", { cwd: elsewhere })).toMatchObject({ decision: "block" });
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });
});
