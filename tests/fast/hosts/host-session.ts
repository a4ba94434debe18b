/** A session of Claude Code as our hooks meet it: its stdin, its environment, its transcript. The hooks are real processes. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { CLI, type Finished, newProject, type Project } from "../cli/command-line.js";

/** What a host can be told. */
export interface HookAnswer {
  decision?: string;
  reason?: string;
  systemMessage?: string;
  hookSpecificOutput?: { hookEventName: string; additionalContext: string };
}

export interface StoredEvent {
  seq: number;
  type: string;
  timestamp: string;
  payload: Record<string, unknown>;
}

type Environment = Record<string, string>;

/** What the host gives to every hook, beside its own variables. */
export const HOOK_ENVIRONMENTS = {
  "2.1.197": { CLAUDECODE: "1", CLAUDE_CODE_CHILD_SESSION: "1", AI_AGENT: "claude-code_2-1-197_harness" },
  "2.1.325": {
    CLAUDECODE: "1",
    CLAUDE_CODE_CHILD_SESSION: "1",
    AI_AGENT: "claude-code_2-1-325_harness",
    CLAUDE_PID: "4711",
    CLAUDE_CODE_SESSION_ATTENDED: "1",
  },
} as const satisfies Record<string, Environment>;

/** What the agent's own commands see. */
export const agentEnvironment = (sessionId: string): Environment => ({
  CLAUDECODE: "1",
  AI_AGENT: "claude-code_2-1-197_agent",
  CLAUDE_CODE_SESSION_ID: sessionId,
});

/** Calls a hook with any bytes on stdin, and holds it to what every answer must be. */
export async function callHook(
  { project, args, env = {} }: { project: Project; args: readonly string[]; env?: Environment },
  stdin: string | undefined,
): Promise<HookAnswer> {
  return answerOf(await project.run(["hook:run", ...args], { stdin, env }));
}

/** One JSON object, from the first byte on; exit 0; nothing else. */
export function answerOf({ code, signal, stdout, stderr }: Finished): HookAnswer {
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  expect(stdout[0]).toBe("{");
  const answer = JSON.parse(stdout) as HookAnswer;
  // Hosts take these for a mistake, or for nothing at all.
  expect(answer).not.toHaveProperty("ok");
  expect(["undefined", "block"]).toContain(String(answer.decision));
  return answer;
}

export type HookType = "stop" | "subagent-stop" | "session-start" | "session-end" | "user-prompt-submit";

const EVENT_NAMES: Record<HookType, string> = {
  stop: "Stop",
  "subagent-stop": "SubagentStop",
  "session-start": "SessionStart",
  "session-end": "SessionEnd",
  "user-prompt-submit": "UserPromptSubmit",
};

export class HostSession {
  readonly project: Project;
  readonly sessionId: string;
  readonly transcript: string;
  promptId = randomUUID();

  constructor(project: Project = newProject(), sessionId: string = randomUUID()) {
    this.project = project;
    this.sessionId = sessionId;
    this.transcript = path.join(project.home, ".claude", "projects", "-p", `${sessionId}.jsonl`);
  }

  /** The session's file. */
  get file(): string {
    return path.join(this.project.home, ".a5c", "state", `${this.sessionId}.md`);
  }

  /** A hook of this session; fields of the input that are undefined are left out. */
  async hook(
    type: HookType,
    fields: Record<string, unknown> = {},
    { args = [], env = {} }: { args?: readonly string[]; env?: Environment } = {},
  ): Promise<HookAnswer> {
    const stdin = `${JSON.stringify({ ...this.input(type), ...fields })}\n`;
    const { project } = this;
    return callHook({ project, args: ["--hook-type", type, "--harness", "claude-code", ...args], env }, stdin);
  }

  /** The fields that come with every event. */
  input(type: HookType): Record<string, unknown> {
    const hasPrompt = type === "stop" || type === "subagent-stop" || type === "user-prompt-submit";
    return {
      session_id: this.sessionId,
      transcript_path: this.transcript,
      cwd: this.project.dir,
      ...(hasPrompt ? { prompt_id: this.promptId, permission_mode: "bypassPermissions" } : {}),
      hook_event_name: EVENT_NAMES[type],
    };
  }

  /** The agent ends its turn with these words. */
  async stop(says: string | undefined = "Some work is done.", more: Record<string, unknown> = {}): Promise<HookAnswer> {
    return this.hook("stop", {
      stop_hook_active: false,
      ...(says === undefined ? {} : { last_assistant_message: says }),
      background_tasks: [],
      session_crons: [],
      ...more,
    });
  }

  /** Begins a loop that is bound to this session; answers the run's id. */
  async startLoop(task: string, more: string[] = []): Promise<string> {
    const args = ["loop:start", "--prompt-file", "-", "--session-id", this.sessionId, "--harness", "claude-code"];
    return (await this.project.ask([...args, ...more], { stdin: task })).runId;
  }

  /** Gives the session a run with a process. */
  async createRun(entry: string, runId: string, more: string[] = []): Promise<void> {
    const binding = ["--harness", "claude-code", "--session-id", this.sessionId];
    await this.project.create(entry, runId, [...binding, ...more]);
  }

  /** Adds rows to the transcript, in the host's format. */
  writes(...added: object[]): void {
    fs.mkdirSync(path.dirname(this.transcript), { recursive: true });
    fs.appendFileSync(this.transcript, added.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  runDir(runId: string): string {
    return path.join(this.project.runsDir, runId);
  }

  events(runId: string): StoredEvent[] {
    const dir = path.join(this.runDir(runId), "journal");
    const names = fs.readdirSync(dir).filter((name) => /^\d+\..*\.json$/u.test(name));
    return names.toSorted().map((name) => JSON.parse(fs.readFileSync(path.join(dir, name), "utf8")) as StoredEvent);
  }

  /** What was recorded at the ends of turns. */
  stops(runId: string): Record<string, unknown>[] {
    return this.events(runId)
      .filter(({ type }) => type === "STOP_HOOK_INVOKED")
      .map(({ payload }) => payload);
  }

  codes(runId: string): unknown[] {
    return this.stops(runId).map(({ reason }) => reason);
  }
}

/** Lines of the log of hook problems. */
export function problemsOf(project: Project): { code: string; message: string; sessionId?: string }[] {
  const file = path.join(project.home, ".a5c", "log", "hooks.jsonl");
  if (!fs.existsSync(file)) return [];
  return fs
    .readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { code: string; message: string });
}

/** Rows of a transcript as the host writes them: one per content block. */
export const rows = {
  prompt: (text: string): object => row("user", { role: "user", content: text }),
  /** What a Stop hook told the agent, in the name of the user. */
  feedback: (text: string): object => ({
    ...row("user", { role: "user", content: `Stop hook feedback:\n${text}` }),
    isMeta: true,
  }),
  says: (text: string, id = "msg_1"): object =>
    row("assistant", { id, role: "assistant", content: [{ type: "text", text }], stop_reason: "end_turn" }),
  calls: (id = "msg_1"): object =>
    row("assistant", {
      id,
      role: "assistant",
      content: [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } }],
    }),
  result: (text: string): object =>
    row("user", { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: text }] }),
};

function row(type: string, message: object): object {
  return {
    parentUuid: null,
    isSidechain: false,
    type,
    message,
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
  };
}

/** Runs the bundle under a clock that is off by some seconds, so that no test has to wait. */
export function clockAhead(project: Project, seconds: number): Environment {
  const shim = path.join(project.root, "clock.cjs");
  fs.writeFileSync(
    shim,
    `const off = Number(process.env.CLOCK_AHEAD) * 1000;
const Real = Date;
globalThis.Date = class Date extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + off); else super(...given); }
  static now() { return Real.now() + off; }
};
`,
  );
  return { NODE_OPTIONS: `--require ${shim}`, CLOCK_AHEAD: String(seconds) };
}

export { CLI };
