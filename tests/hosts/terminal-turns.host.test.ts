/** What people do to a loop in a terminal: they stop it, talk to it, clear the session, fork it, pause and cancel. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { HostProject } from "./rig/host-run.js";
import { type HostTerminal, KEYS, openTerminal } from "./rig/host-terminal.js";
import { HOST_VERSIONS, type HostVersion } from "./rig/install-hosts.js";
import { bash, held, inTurn, never, type Reply, type Scenario, says } from "./rig/scripted-model.js";

const START = "/babysit Write x --completion-promise DONE";
const BEGUN = "🔄 Babysitter loop";
const ENDED = "Report: /babysitter:report";
const DONE = says("All is done.\n\n<promise>DONE</promise>");
const WORK = bash("echo 1 > a");

interface Looped {
  project: HostProject;
  terminal: HostTerminal;
  sessionId: string;
  run: string;
}

/** A loop in a terminal, whose agent gives these replies; it has asked for so many of them. */
async function looped(version: HostVersion, replies: (Reply | Scenario)[], asked: number): Promise<Looped> {
  const project = new HostProject(version, {}, { shipped: true });
  const sessionId = randomUUID();
  const terminal = await openTerminal(project, { sessionId, prompt: "", scenario: inTurn(replies) });
  await terminal.enter(START, BEGUN);
  await untilAsked(terminal, asked);
  const [run = ""] = project.runs();
  return { project, terminal, sessionId, run };
}

const untilAsked = async (terminal: HostTerminal, times: number): Promise<void> =>
  terminal.until(() => terminal.model.main.length >= times, `request ${times} to the model`);

/** The agent thinks, and Esc ends that. */
async function interrupt(terminal: HostTerminal): Promise<void> {
  await terminal.pressUntil(KEYS.escape, "Interrupted");
}

describe.each(HOST_VERSIONS)("people at a terminal of Claude Code %s", (version) => {
  test("P4: Esc in the middle of a turn, then typing: the loop is paused and says how to resume, the agent does what was typed and may stop; /babysitter:resume resumes", async () => {
    const replies = [WORK, never, says("Hello to you."), bash("echo 2 > b"), DONE];
    const { project, terminal, run } = await looped(version, replies, 2);
    await interrupt(terminal);
    await terminal.enter("Rather say hello.", "Hello to you.");
    expect(terminal.words).toMatch(new RegExp(`⏸ Babysitter run: paused[^⏸]*/babysitter:resume ${run}`, "u"));
    expect(terminal.model.main[2]?.news).toContain("Rather say hello.");
    await terminal.until(() => project.codes().length === 1, "the end of the turn");
    expect(project.codes()).toEqual(["paused"]);
    expect((await project.status(run)).paused?.code).toBe("interrupted");
    await terminal.enter("/babysitter:resume", ENDED);
    expect(terminal.words).toContain("It continues in this session.");
    expect(terminal.model.main[3]?.news).toMatch(/The user has resumed this Babysitter loop[^]*Task:\nWrite x/u);
    expect(project.codes()).toEqual(["paused", "promise_matched"]);
  });

  test("P4: typing while it works is steering: the agent hears it, and the loop is not stopped", async () => {
    const work = held();
    const { project, terminal, run } = await looped(version, [work.reply, says("One."), bash("echo 2 > b"), DONE], 1);
    await terminal.enter("Use tabs, please.", "Press up to edit queued messages");
    work.release(WORK);
    await terminal.shows(ENDED);
    // A busy host may have sent the result of the tool already, and tells with its next request.
    expect(terminal.model.main.slice(1).map(({ news }) => news)).toContainEqual(
      expect.stringContaining("Use tabs, please."),
    );
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    expect(project.count(run, "LOOP_PAUSED")).toBe(0);
    // Older hosts do not tell of it at all.
    const told = version === "2.1.197" ? ["turn"] : ["turn", "steering"];
    expect(project.submitted().map(({ kind }) => kind)).toEqual(told);
  });

  test("P2 P4: /clear in a loop: the new session is told and not held, the old one is released, and /babysitter:resume takes the loop over", async () => {
    const replies = [WORK, never, says("Nothing holds me."), bash("echo 2 > b"), says("Half."), DONE];
    const { project, terminal, sessionId, run } = await looped(version, replies, 2);
    await interrupt(terminal);
    await terminal.enter("/clear", () => project.lastSession()["source"] === "clear");
    const after = project.lastSession()["sessionId"] as string;
    expect(after).not.toBe(sessionId);
    await terminal.until(() => !fs.existsSync(project.sessionFile(sessionId)), "the release of the old session");
    expect((await project.status(run)).session).toBeNull();
    await terminal.until(
      () => terminal.words.includes(`/clear has ended the session of the loop ${run}`),
      "what has become of the loop",
    );
    await terminal.enter("What now?", "Nothing holds me.");
    expect(terminal.model.main[2]?.news).toContain("This loop does not belong to this session.");
    // Its stop was free: the next words are a prompt again, and nothing was decided.
    await terminal.enter(`/babysitter:resume ${run}`, ENDED);
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    const { session, sessions } = await project.status(run);
    expect([session?.sessionId ?? null, sessions]).toEqual([after, [sessionId, after]]);
  });

  test("P2: the laptop is closed in the middle of a turn; `claude --resume` tells the person and the agent exactly where it stands, and it goes on", async () => {
    const { project, terminal, sessionId } = await looped(version, [WORK, says("One."), never], 3);
    await terminal.close();
    const scenario = inTurn([bash("echo 2 > b"), DONE]);
    const again = await openTerminal(project, { sessionId, resume: true, prompt: "", scenario });
    await again.until(() => again.words.includes("It continues with your next prompt."), "where the loop stands");
    expect(again.words).toContain(
      "🔄 Babysitter run: this session is working on Write x (iteration 2 of 50; The last turn was cut short.).",
    );
    await again.enter("Go on.", ENDED);
    expect(again.model.main[0]?.news).toMatch(/\[LOOP RESUME\][^]*The last turn was cut short\.[^]*Task:\nWrite x/u);
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
    expect(project.submitted().map(({ kind }) => kind)).not.toContain("interruption");
  });

  test.each([
    ["pause", "Paused", ["paused"]],
    ["cancel", "Cancelled", []],
  ])(
    "P4: /babysitter:%s after Esc is obeyed at once, without a model, and the next stop is free",
    async (verb, said, codes) => {
      const replies = [WORK, never, says("Hello to you."), says("And again.")];
      const { project, terminal, sessionId, run } = await looped(version, replies, 2);
      await interrupt(terminal);
      await terminal.enter(`/babysitter:${verb}`, `${said} ${run}`);
      await terminal.enter("Say hello.", "Hello to you.");
      await terminal.enter("Say it again.", "And again.");
      expect(terminal.model.main).toHaveLength(4);
      expect(project.codes()).toEqual(codes);
      const stopped = [...project.events(run, "LOOP_PAUSED"), ...project.events(run, "RUN_CANCELLED")];
      expect(stopped.map(({ payload }) => payload["code"])).toEqual([verb === "pause" ? "by_request" : undefined]);
      expect(fs.existsSync(project.sessionFile(sessionId))).toBe(verb === "pause");
    },
  );

  test.each(["pause", "cancel"])(
    "P4: /babysitter:%s typed while the agent works is obeyed when its turn ends, and no other turn begins",
    async (verb) => {
      const work = held();
      const { project, terminal, run } = await looped(version, [work.reply, says("One."), says("Hello to you.")], 1);
      await terminal.enter(`/babysitter:${verb}`, "Press up to edit queued messages");
      work.release(WORK);
      await terminal.shows(`${verb === "pause" ? "Paused" : "Cancelled"} ${run}`);
      expect(project.codes()).toEqual(["command_waiting"]);
      await terminal.enter("Say hello.", "Hello to you.");
      expect(terminal.model.main).toHaveLength(3);
      expect(project.count(run, verb === "pause" ? "LOOP_PAUSED" : "RUN_CANCELLED")).toBe(1);
    },
  );

  test("P4: a fork does not share the run; the original still does", async () => {
    const { project, sessionId } = await cutLoop(version);
    const args = ["--fork-session"];
    const fork = await project.host({ sessionId, resume: true, args, scenario: inTurn([DONE]) });
    expect([fork.code, project.codes()]).toEqual([0, []]);
    expect(fork.result["session_id"]).not.toBe(sessionId);
    expect(fork.model.main[0]?.news).toContain("This loop does not belong to this session.");
    const [run = ""] = project.runs();
    expect((await project.status(run)).sessions).toEqual([sessionId]);
    const original = await project.host({ sessionId, resume: true, scenario: inTurn([says("Half."), DONE]) });
    expect(original.model.main[0]?.news).toContain("[LOOP RESUME] Active loop detected");
    expect(project.codes()).toEqual(["continue_loop", "promise_matched"]);
  });

  test("P4: `claude -p --continue` keeps its loop", async () => {
    const { project, sessionId } = await cutLoop(version);
    const run = await project.host({ sessionId, resume: "newest", scenario: inTurn([says("Half."), DONE]) });
    expect(run.result["session_id"]).toBe(sessionId);
    expect(run.model.main[0]?.news).toContain("[LOOP RESUME] Active loop detected");
    expect(run.model.main[0]?.news).not.toContain("does not belong to this session");
    expect([project.codes(), (await project.status()).paused]).toEqual([["continue_loop", "promise_matched"], null]);
  });

  test("P4: a branch of a looped session is told that the loop is not its own, and may stop", async () => {
    const { project, terminal, sessionId } = await looped(version, [WORK, never, DONE], 2);
    await terminal.pressUntil(KEYS.escape, "Interrupted");
    await terminal.enter("/branch", "Branched");
    await terminal.enter("Go on.", "All is done.");
    expect(terminal.model.main[2]?.news).toContain("This loop does not belong to this session.");
    expect(project.lastSession()["sessionId"]).not.toBe(sessionId);
    expect([project.codes(), (await project.status()).sessions]).toEqual([[], [sessionId]]);
  });
});

/** A loop whose agent has begun to work when its host ended. */
async function cutLoop(version: HostVersion): Promise<{ project: HostProject; sessionId: string }> {
  const project = new HostProject(version, {}, { shipped: true });
  const sessionId = await project.startLoop();
  await project.host({ sessionId, scenario: inTurn([WORK]), args: ["--max-turns", "1"] });
  return { project, sessionId };
}
