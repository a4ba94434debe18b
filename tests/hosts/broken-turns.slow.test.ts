/** Turns that nobody has ended properly, and sessions that rest: what the plugin's other hooks make of them. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Finished } from "../fixtures/command-line.js";
import { HostSession, rows } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const PROCESS = {
  "p.mjs": `
export async function nap(inputs, ctx) { await ctx.sleepUntil("2099-01-01T00:00:00Z"); return "rested"; }
export async function work(inputs, ctx) { return ctx.task({ kind: "agent", title: "t" }); }
`,
};
const CUT = {
  type: "system",
  subtype: "informational",
  content: "A hook blocked the turn from ending 9 consecutive times — overriding and ending turn.",
};

async function looped(): Promise<{ session: HostSession; runId: string }> {
  const session = new HostSession();
  const runId = await session.startLoop("Build the shed.");
  await session.stop();
  return { session, runId };
}

/** As the plugin's shell writes it. */
function fails(session: HostSession, pid: number, fields: object = {}): string {
  const file = path.join(session.project.home, ".a5c", "spool", `${session.sessionId}.${pid}.stop-failure.json`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const said = { error: "rate_limit", last_assistant_message: "API Error: 429 Slow down.", ...fields };
  fs.writeFileSync(file, `${JSON.stringify({ session_id: session.sessionId, ...said })}\n`, { flag: "wx" });
  return file;
}

const types = async (session: HostSession, prompt: string): Promise<object> => {
  session.promptId = randomUUID();
  return session.hook("user-prompt-submit", { prompt });
};

const pauses = (session: HostSession, runId: string): unknown[] =>
  session
    .events(runId)
    .filter(({ type }) => type === "LOOP_PAUSED")
    .map(({ payload }) => payload["code"]);

const failures = (session: HostSession, runId: string): unknown[] =>
  session
    .events(runId)
    .filter(({ type }) => type === "TURN_FAILED")
    .map(({ payload }) => payload);

describe("a turn that died of an error of the API", () => {
  it("is journaled by the next event of the session, and whoever types then has interrupted nobody", async () => {
    const { session, runId } = await looped();
    const file = fails(session, 1, { prompt_id: session.promptId });
    expect(await types(session, "Again, please.")).toEqual({});
    expect(failures(session, runId)).toEqual([
      {
        sessionId: session.sessionId,
        promptId: expect.any(String) as string,
        error: "rate_limit",
        message: "API Error: 429 Slow down.",
        report: path.basename(file),
      },
    ]);
    expect(fs.existsSync(file)).toBe(false);
    expect(pauses(session, runId)).toEqual([]);
    expect(await session.stop()).toMatchObject({ decision: "block" });
  });

  it("is told to the person in front of the terminal: when it is tried again, or that it needs them", async () => {
    const { session } = await looped();
    const notice = async (pid: number, error: string): Promise<string | undefined> => {
      fails(session, pid, { error });
      const answer = (await session.hook("stop-failure", { error })) as { terminalSequence?: string };
      const [notification, title, rest] = answer.terminalSequence?.split("\u0007") ?? [];
      expect([title?.slice(4), rest]).toEqual([notification?.slice(4), ""]);
      return notification?.replace("\u001B]9;", "");
    };
    expect(await notice(1, "rate_limit")).toMatch(/^Babysitter: the turn failed \(rate_limit\); next try at 2/u);
    expect(await notice(2, "odd\u0007\u001B]2;owned")).toMatch(
      /^Babysitter: the turn failed \(odd\\x07\\x1b\]2;owned\); next try at 2/u,
    );
    expect(await notice(3, "billing_error")).toBe(
      "Babysitter: the turn failed (billing_error); waiting does not help, so it needs you",
    );
  });

  it("is seen in the transcript where the host never said a word of it", async () => {
    const { session, runId } = await looped();
    session.writes(rows.prompt("Go."), { ...rows.says("API Error: 529 Overloaded"), isApiErrorMessage: true });
    expect(await types(session, "Again, please.")).toEqual({});
    expect(pauses(session, runId)).toEqual([]);
  });

  it("is no news once a turn has ended since, nor when it was recorded before a crash", async () => {
    const { session, runId } = await looped();
    const old = fails(session, 1);
    fs.utimesSync(old, new Date("2020-01-01"), new Date("2020-01-01"));
    await session.hook("session-start", { source: "resume" });
    expect([failures(session, runId), fs.existsSync(old)]).toEqual([[], false]);
    for (let time = 0; time < 2; time += 1) {
      fails(session, 2);
      await session.hook("session-start", { source: "resume" });
    }
    expect(failures(session, runId)).toHaveLength(1);
  });

  it("P2: is told to the session that comes back, and to its person", async () => {
    const { session } = await looped();
    fails(session, 1);
    const answer = await session.hook("session-start", { source: "resume" });
    const broken = "The last turn ended with a host error (rate_limit): API Error: 429 Slow down.";
    expect(answer.hookSpecificOutput?.additionalContext).toContain(broken);
    expect(answer.systemMessage).toBe(
      `🔄 Babysitter run: this session is working on Build the shed. (iteration 2 of 50; ${broken}). It continues with your next prompt.`,
    );
  });
});

describe("a turn whose Stop hook was killed", () => {
  const ended = (at: Date): object => ({ ...rows.says("Some work is done."), timestamp: at.toISOString() });

  it("P4: timeouts survived: whoever types then has interrupted nobody, and the loop continues", async () => {
    const { session, runId } = await looped();
    session.writes(rows.prompt("Go."), ended(new Date(Date.now() + 1_000)));
    expect(await types(session, "And?")).toEqual({});
    expect(pauses(session, runId)).toEqual([]);
    expect(await session.stop()).toMatchObject({ decision: "block" });
  });

  it("is not mistaken for the turn before, whose end was decided: then someone interrupted the next one", async () => {
    const { session, runId } = await looped();
    session.writes(rows.prompt("Go."), ended(new Date(Date.now() - 60_000)));
    await types(session, "Stop that.");
    expect(pauses(session, runId)).toEqual(["interrupted"]);
  });
});

describe("a turn that the host has cut", () => {
  it("P4: host limits (block cap): the next prompt says so; paused, resumable", async () => {
    const { session, runId } = await looped();
    session.writes(rows.prompt("Go."), rows.says("Some work is done."), CUT);
    const resume = `babysitter loop:resume ${runId}`;
    expect(await types(session, "Well?")).toEqual({
      systemMessage: `⏸ Babysitter run: paused, because the host ended its turn itself (hooks may make an agent continue only so many times without a tool call). To resume: ${resume}`,
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: `The host ended your last turn itself, because you had not called a tool for several turns; the loop of run ${runId} is paused. Do what the user says now. Only if the user wants to resume the loop: ${resume}`,
      },
    });
    expect(pauses(session, runId)).toEqual(["host_cut"]);
    expect(await session.stop()).toEqual({});
  });

  it("P2: the next session start says so as well", async () => {
    const { session } = await looped();
    session.writes(rows.prompt("Go."), rows.says("Some work is done."), CUT);
    const answer = await session.hook("session-start", { source: "resume" });
    expect(answer.hookSpecificOutput?.additionalContext).toContain("The host ended the last turn itself");
  });

  it("P2: a host that was closed in the middle of a turn has left no word of it", async () => {
    const { session } = await looped();
    const answer = await session.hook("session-start", { source: "startup" });
    expect(answer.hookSpecificOutput?.additionalContext).toContain("The last turn was cut short.");
    expect((await session.hook("session-start", { source: "resume" })).systemMessage).not.toContain("its end");
  });
});

describe("the watch of a session", () => {
  async function watch(session: HostSession, since: number, more: string[] = []): Promise<Finished> {
    const args = [
      "hook:run",
      "--hook-type",
      "stop-watch",
      "--harness",
      "claude-code",
      "--since",
      String(since),
      ...more,
    ];
    return session.project.run(args, { stdin: `${JSON.stringify(session.input("stop"))}\n` });
  }
  const now = (): number => Math.floor(Date.now() / 1_000);

  it("P8: a sleep that is ended elsewhere wakes the session: exit 2, the reason on stderr", async () => {
    const session = new HostSession(new Project(PROCESS));
    await session.createRun("p.mjs#nap", "r");
    const { nextActions } = await session.project.ask(["run:iterate", "r"]);
    const since = now();
    const watching = watch(session, since);
    expect(await session.stop()).toMatchObject({ systemMessage: expect.stringContaining("sleeping until") as string });
    await session.project.post("r", String(nextActions[0]?.effectId), null);
    expect(await watching).toMatchObject({
      code: 2,
      stdout: "{}\n",
      stderr:
        "Babysitter: the question that the run waited for was decided; the decision is in the run, not here. Continue: babysitter run:iterate r\n",
    });
  });

  it("ends at once when the agent works on, and when the session has no loop", async () => {
    const session = new HostSession(new Project(PROCESS));
    expect(await watch(session, now())).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
    await session.createRun("p.mjs#work", "r");
    const since = now();
    await session.stop();
    expect(await watch(session, since)).toMatchObject({ code: 0, stdout: "{}\n", stderr: "" });
  });

  it("ends when its own time is over: nobody is woken for nothing", async () => {
    const session = new HostSession(new Project(PROCESS));
    await session.createRun("p.mjs#nap", "r");
    expect(await watch(session, now(), ["--deadline-ms", "5001"])).toMatchObject({ code: 0, stdout: "{}\n" });
  });
});
