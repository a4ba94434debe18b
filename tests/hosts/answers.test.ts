/** The form of every answer, for the inputs and environments of two versions of the host. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { callHook, HOOK_ENVIRONMENTS, HostSession, problemsOf } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const VERSIONS = ["2.1.197", "2.1.325"] as const;

describe("which host it is", () => {
  it("A1: auto-detection, claude-code and null adapters: the environment or --harness decides who answers", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Do it.");
    const stdin = JSON.stringify({ ...session.input("stop"), last_assistant_message: "working" });
    const type = ["--hook-type", "stop"];
    const ask = async (args: string[], env: Record<string, string>): Promise<object> =>
      callHook({ project: session.project, args: [...type, ...args], env }, stdin);
    expect(await ask([], {})).toEqual({});
    expect(await ask(["--harness", "null"], HOOK_ENVIRONMENTS["2.1.197"])).toEqual({});
    expect(session.stops(runId)).toEqual([]);
    expect(await ask([], { CLAUDE_ENV_FILE: path.join(session.project.root, "env.sh") })).toMatchObject({
      decision: "block",
    });
    expect(await ask(["--json"], { CLAUDECODE: "1" })).toMatchObject({ decision: "block" });
    expect(session.codes(runId)).toEqual(["continue_loop", "continue_loop"]);
  });
});

describe.each(VERSIONS)("every event of %s", (version) => {
  const env = HOOK_ENVIRONMENTS[version];
  const isNewer = version === "2.1.325";

  it("A1: a session without a loop is never told anything", async () => {
    const session = new HostSession();
    const attended = isNewer
      ? { seconds_since_last_response: 3, context_tokens: 9, prompt_cache_likely_expired: false }
      : {};
    const answers = await Promise.all([
      session.hook("stop", { stop_hook_active: false, last_assistant_message: "hi", background_tasks: [] }, { env }),
      session.hook("subagent-stop", { agent_id: "a1", agent_type: "", stop_hook_active: false }, { env }),
      session.hook("user-prompt-submit", { prompt: "hi" }, { env }),
      session.hook("session-end", { reason: "other" }, { env }),
      ...["startup", "resume", "clear", "compact", "fork"].map(async (source) =>
        session.hook("session-start", { source, ...(source === "resume" ? attended : {}) }, { env }),
      ),
    ]);
    expect(answers).toEqual(answers.map(() => ({})));
    expect(problemsOf(session.project)).toEqual([]);
    expect(fs.existsSync(session.file)).toBe(false);
  });

  it("A1: the turn of a session with a loop continues by context; turns of its subagents and compaction just end", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Paint the shed.");
    const stop = {
      stop_hook_active: true,
      last_assistant_message: "One wall.",
      background_tasks: [],
      session_crons: [],
    };
    const more = { env: { ...env, CLAUDE_CODE_SESSION_ID: session.sessionId } };
    const subagent = { ...stop, agent_id: "a1", agent_transcript_path: "/nowhere" };
    expect(await session.hook("subagent-stop", { ...subagent, agent_type: "" }, more)).toEqual({});
    expect(await session.hook("subagent-stop", { ...subagent, agent_type: "Explore" }, more)).toEqual({});
    expect(await session.hook("stop", subagent, more)).toEqual({});
    expect(await session.hook("session-end", { reason: "other" }, more)).toEqual({});
    expect(session.stops(runId)).toEqual([]);
    const answer = await session.hook("stop", stop, more);
    expect(Object.keys(answer)).toEqual(["hookSpecificOutput", "systemMessage"]);
    expect(answer.hookSpecificOutput?.hookEventName).toBe("Stop");
    expect(answer.hookSpecificOutput?.additionalContext).toContain("goal: Paint the shed.");
    expect(answer.systemMessage).toBe("🔄 2/50");
  });
});

describe("the two ways to go on", () => {
  it("A1: without AI_AGENT, or with that of an older host, the seed's block; from 2.1.163 on context", async () => {
    const session = new HostSession();
    await session.startLoop("Paint the shed.", ["--completion-promise", "PAINTED"]);
    const ask = async (agent?: string): Promise<object> =>
      session.hook(
        "stop",
        { last_assistant_message: "One wall." },
        agent === undefined ? {} : { env: { AI_AGENT: agent } },
      );
    const message = (n: number): string =>
      `🔄 Babysitter iteration ${n} | To stop: output <promise>PAINTED</promise> (ONLY when TRUE!)`;
    expect(await ask()).toEqual({ decision: "block", reason: "Paint the shed.", systemMessage: message(2) });
    session.project.write({ wall: "1" });
    const old = await ask("claude-code_2-1-162_harness");
    expect(old).toEqual({ decision: "block", reason: "Paint the shed.", systemMessage: message(3) });
    session.project.write({ wall: "2" });
    expect(await ask("claude-code_2-1-163_harness")).toMatchObject({
      hookSpecificOutput: { hookEventName: "Stop" },
      systemMessage: "🔄 4/50",
    });
  });

  it("A1: context always arrives whole: it stays below the host's 10,000 characters", async () => {
    const session = new HostSession(new Project({ "p.mjs": "export async function p() {}\n" }));
    await session.startLoop(`${"A very long task. ".repeat(2_000)}\nand more`);
    const answer = await session.hook(
      "stop",
      { last_assistant_message: "x" },
      { env: { AI_AGENT: "claude-code_2-1-197_harness" } },
    );
    expect(answer.hookSpecificOutput?.additionalContext.length).toBeLessThan(9_500);
  });
});

describe("a session starts", () => {
  it("A1: the agent's shell learns the session's id, once, however often the session starts", async () => {
    const session = new HostSession();
    const file = path.join(session.project.root, "env.sh");
    fs.writeFileSync(file, "export OTHER=1\n");
    const env = { CLAUDE_ENV_FILE: file };
    for (const source of ["startup", "resume", "compact"])
      expect(await session.hook("session-start", { source }, { env })).toEqual({});
    const lines = ["AGENT_SESSION_ID", "CLAUDE_SESSION_ID"].map((name) => `export ${name}="${session.sessionId}"`);
    const [first, ...ours] = fs.readFileSync(file, "utf8").trimEnd().split("\n");
    expect([first, ours.slice(0, 2)]).toEqual(["export OTHER=1", lines]);
    expect(ours.slice(2).map((line) => line.split(" ", 1)[0])).toEqual(["unalias", "babysitter()"]);
  });

  it("a state folder that is a file: nothing for sessions without a loop, and one line with the real problem for others", async () => {
    const idle = new HostSession();
    const state = path.join(idle.project.home, ".a5c");
    const session = new HostSession(idle.project);
    const runId = await session.startLoop("Build the shed.");
    fs.renameSync(state, `${state}.old`);
    fs.writeFileSync(state, "");
    for (const source of ["startup", "resume"]) {
      const { systemMessage } = await idle.hook("session-start", { source });
      expect(systemMessage).toBeUndefined();
    }
    expect(await idle.stop()).toEqual({});
    const { systemMessage } = await session.hook("session-start", { source: "resume" });
    expect(systemMessage).toBe(
      `⚠️  Babysitter run: the loop of ${runId} does not hold this session. Cannot write ${session.file}: ${state} is not a folder (ENOTDIR). Move it out of the way, or set BABYSITTER_HOME to another folder.`,
    );
    // No run is made for a session that could not be held.
    const start = ["loop:start", "Another.", "--session-id", idle.sessionId, "--harness", "claude-code", "--json"];
    const { code, stdout } = await idle.project.run(start);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${state} is not a folder`)]);
    expect(fs.readdirSync(idle.project.path(".a5c/runs"))).toEqual([runId]);
  });

  it("A1: with --plugin-root the seed's baseline file is written, which holds nobody", async () => {
    const session = new HostSession();
    const root = path.join(session.project.root, "plugin");
    const args = ["--plugin-root", root];
    expect(await session.hook("session-start", { source: "startup" }, { args })).toEqual({});
    const file = path.join(root, "skills", "babysit", "state", `${session.sessionId}.md`);
    const text = fs.readFileSync(file, "utf8").replaceAll(/"2\d{3}-[^"]*"/gu, '"<time>"');
    expect(text).toBe(
      '---\nactive: true\niteration: 1\nmax_iterations: 256\nrun_id: ""\nstarted_at: "<time>"\nlast_iteration_at: "<time>"\niteration_times:\n---\n',
    );
    const before = fs.readFileSync(file, "utf8");
    expect(await session.hook("stop", { last_assistant_message: "hi" }, { args })).toEqual({});
    expect(await session.hook("session-start", { source: "resume" }, { args })).toEqual({});
    expect(fs.readFileSync(file, "utf8")).toBe(before);
    expect(fs.existsSync(session.project.runsDir)).toBe(false);
  });
});
