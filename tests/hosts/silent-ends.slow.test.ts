/** A session that a loop has held is told once when that is over, whoever or whatever has ended it. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { agentEnvironment, HostSession } from "../fixtures/hosts/host-session.js";
import { TypingSession } from "../fixtures/hosts/typing-session.js";

async function held(): Promise<{ session: TypingSession; run: string }> {
  const session = new TypingSession();
  const run = await session.startLoop("Write x");
  expect((await session.stop()).decision).toBe("block");
  return { session, run };
}

const switchOff = ({ file }: HostSession): void =>
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("active: true", "active: false"));

type End = (session: HostSession, run: string) => unknown;

const ENDS: [string, End, string, string][] = [
  [
    "cancelled elsewhere",
    ({ project }, run) => project.ask(["loop:cancel", run], { as: "person" }),
    "was cancelled",
    "loop:report",
  ],
  [
    "cancelled by a command with a stripped environment",
    ({ project }, run) => project.ask(["loop:cancel", run, "--reason", "enough"], { as: "person" }),
    "was cancelled: enough",
    "loop:report",
  ],
  [
    "paused elsewhere",
    ({ project }, run) => project.ask(["loop:pause", run, "--reason", "Lunch."], { as: "person" }),
    "is paused (by_request: Lunch.)",
    "loop:resume",
  ],
  ["its session file deleted", ({ file }) => fs.rmSync(file), "session file is gone", "loop:resume"],
  [
    "all session files deleted",
    ({ file }) => fs.rmSync(path.dirname(file), { recursive: true }),
    "session file is gone",
    "loop:resume",
  ],
  [
    "session file and run deleted",
    (session, run) => {
      fs.rmSync(session.file);
      fs.rmSync(session.runDir(run), { recursive: true });
    },
    "cannot be used",
    "",
  ],
];

describe("no silent end", () => {
  test.each(ENDS)("L14: %s: one line at the end of the turn, once", async (_, end, words, command) => {
    const { session, run } = await held();
    await end(session, run);
    const answer = await session.stop();
    expect(answer).toEqual({ systemMessage: expect.stringContaining(words) });
    expect(answer.systemMessage).toContain(run);
    expect(answer.systemMessage).toContain(command === "" ? run : `babysitter ${command} ${run}`);
    expect(answer.systemMessage?.split("\n")).toHaveLength(1);
    expect(await session.stop()).toEqual({});
    expect(await session.hook("user-prompt-submit", { prompt: "Hm." })).toEqual({});
  });
});

describe("a session that was held", () => {
  test("L14: no silent end: told when it comes back after its loop was cancelled", async () => {
    const { session, run } = await held();
    await session.project.ask(["loop:cancel", run], { as: "person" });
    const { systemMessage } = await session.hook("session-start", { source: "resume" });
    expect(systemMessage).toContain(`${run} was cancelled`);
    expect(await session.stop()).toEqual({});
  });

  test("L14: no silent end: told by the prompt that comes before the end of a turn", async () => {
    const { session } = await held();
    fs.rmSync(session.file);
    const { systemMessage } = await session.hook("user-prompt-submit", { prompt: "Hm." });
    expect(systemMessage).toContain("session file is gone");
    expect(await session.stop()).toEqual({});
  });

  test("L14: `active: false` in its file pauses, is said, and is recorded as the file's, not as a person's", async () => {
    const { session, run } = await held();
    switchOff(session);
    expect(await session.hook("user-prompt-submit", { prompt: "Hm." })).toEqual({});
    expect((await session.stop()).systemMessage).toContain("the session file says active: false");
    const [paused] = session.events(run).filter(({ type }) => type === "LOOP_PAUSED");
    expect(paused?.payload).toMatchObject({ code: "session_inactive", by: "session-file" });
    expect(await session.stop()).toEqual({});
  });

  test("is not told again what it was told by its own command, and is held again after a resumption", async () => {
    const { session, run } = await held();
    expect(await session.refused("babysitter:pause")).toContain(`Paused ${run}`);
    expect(await session.stop()).toEqual({});
    await session.goesThrough("babysitter:resume", run);
    expect((await session.stop()).decision).toBe("block");
    await session.project.ask(["loop:cancel", run], { as: "person" });
    expect((await session.stop()).systemMessage).toContain("was cancelled");
  });

  test("L14: /clear: the new session is told once that the loop holds nobody", async () => {
    const { session, run } = await held();
    await session.hook("session-end", { reason: "clear" });
    const next = new HostSession(session.project);
    const { systemMessage } = await next.hook("session-start", { source: "clear" });
    expect(systemMessage).toContain(`/clear has ended the session of the loop ${run}`);
    expect(systemMessage).toContain(`babysitter loop:resume ${run}`);
    expect(await session.stop()).toEqual({});
    const another = new HostSession(session.project);
    expect((await another.hook("session-start", { source: "clear" })).systemMessage).toBeUndefined();
  });

  test("a loop that never held a session says nothing to one that starts over", async () => {
    const session = new HostSession();
    await session.project.ask(["loop:start", "Write x", "--shape", "tool"]);
    expect((await session.hook("session-start", { source: "clear" })).systemMessage).toBeUndefined();
  });
});

describe("a session that does not exist", () => {
  const take = (run: string, sessionId: string): string[] => [
    "loop:resume",
    run,
    "--take",
    "--harness",
    "claude-code",
    "--session-id",
    sessionId,
  ];

  test("L14: cannot take a loop from the session that it holds", async () => {
    const { session, run } = await held();
    const refused = await session.project.refuse(take(run, "no-such-session"), { as: "person" });
    expect([refused.code, refused.message]).toEqual(["SESSION_NOT_FOUND", expect.stringContaining("no-such-session")]);
    expect((await session.stop()).decision).toBe("block");
  });

  test("one that a hook or a transcript was seen of can", async () => {
    for (const isSeen of [
      (other: HostSession) => other.hook("session-start", { source: "startup" }),
      async (other: HostSession) => other.writes({ type: "user" }),
    ]) {
      const { session, run } = await held();
      const other = new HostSession(session.project);
      await isSeen(other);
      await session.project.ask(take(run, other.sessionId), { as: "person" });
      expect((await session.stop()).systemMessage).toContain(`belongs to session ${other.sessionId}`);
      expect((await other.stop()).decision).toBe("block");
    }
  });

  test("nobody asks for a loop that holds no one", async () => {
    const { session, run } = await held();
    await session.project.ask(["loop:pause", run], { as: "person" });
    await session.project.ask(["loop:resume", run, "--session-id", "new", "--harness", "claude-code"], {
      as: "person",
    });
    const env = agentEnvironment("second");
    const free = (await session.project.ask(["loop:start", "Write y", "--shape", "tool"])).runId;
    const resumed = await session.project.ask(["loop:resume", free], { env });
    expect(resumed.session).toBe("second");
  });

  test("the session in which it is typed exists", async () => {
    const { session, run } = await held();
    const other = new TypingSession(session.project);
    expect(await other.goesThrough("babysitter:resume", `${run} --take`)).toContain("resumed this Babysitter loop");
  });
});
