/**
 * An agent host, as data and two small functions: what it says on stdin in our words, and our answer in its
 * words. Everything between the two is the same for all hosts.
 */
import type { HostLimits, StopInput } from "../loop/rules/situation.js";
import type { TranscriptFormat } from "../loop/transcript/transcript-format.js";
import type { Json, JsonObject } from "../model/json.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The events of hosts that we answer, under the names of `hook:run --hook-type`. */
export const HOOK_EVENTS = [
  "stop",
  "stop-watch",
  "stop-failure-watch",
  "subagent-stop",
  "session-start",
  "session-end",
  "user-prompt-submit",
  "user-prompt-expansion",
  "pre-tool-use",
  "post-tool-use",
  "permission-request",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What a host says, whatever the event. */
export interface HostInput extends StopInput {
  cwd?: string;
  /** Of a session start: startup, resume, clear, compact, fork. */
  source?: string;
  /** Of a session end. */
  reason?: string;
  /** Of a submitted prompt. */
  prompt?: string;
  /** Of a slash command: its name, and what stands behind it, byte for byte. */
  command?: { name: string; args: string };
  /** Of a tool call. */
  tool?: { name: string; input: JsonObject; response?: Json };
}

/** What a host is to do and say. */
export interface HostAnswer {
  /** The agent has to go on: with the whole reason, or with the short form where the host takes that as context. */
  goOn?: { reason: string; delta: string };
  /** A session that rests is to go on, and its agent is told this. */
  wake?: string;
  /** For the user. */
  message?: string;
  /** For the agent, beside what the user wrote. */
  context?: string;
  /** The prompt goes no further: the user is told this, and no model is asked. */
  refusal?: string;
  /** Of a tool call: it may run without asking, with this input in place of its own. Without it the host decides. */
  allow?: { reason: string; input?: JsonObject };
  /** Of a tool call: this takes the place of its input, and the host decides as it always does. */
  rewritten?: JsonObject;
  /** Of a tool call: the host asks its person whatever its rules allow, with this input in place of the agent's. */
  ask?: { input: JsonObject };
  /** Of a tool call: it does not run, and the agent is told why. */
  deny?: string;
}

/** What a host does to the environment of its hooks, and of the commands of its agents. */
export interface HostEnvironment {
  /** True when this environment is one of the host's. */
  isActive(env: Environment): boolean;
  /** Where the agent runs in this host, the variables that hold the session's id, in this order. */
  readonly sessionVariables: readonly string[];
  /** Holds the folder of the project. */
  readonly projectVariable?: string;
  /** Holds the folder of our plugin, where the host has plugins. */
  readonly pluginVariable?: string;
  /** Holds what the host calls itself, mostly with its version. */
  readonly nameVariable?: string;
  /** Names of variables by which a command knows that an agent has given it. */
  readonly agentMarks?: RegExp;
  /** Names of all variables that are the host's: tools that see them behave otherwise. */
  readonly ownVariables?: RegExp;
  /** Names of those that are about one session, and must not reach a host that is started from it. */
  readonly sessionMarks?: RegExp;
  /** True when an agent has given the command, and not the host itself, as it does with hooks. */
  isGivenByAgent?(env: Environment): boolean;
}

/** How a host writes down what its agents say and use, and where. */
export interface HostTranscripts extends TranscriptFormat {
  /** How far what is written may lag behind a hook. */
  readonly lagMs: number;
  /** Of a session that was started without a hook telling where. */
  ofSession(sessionId: string, env: Environment): string | undefined;
  /** Of all these sessions, as far as they are there, and the one that is known to be the newest last. */
  ofSessions(newest: string, sessions: readonly string[]): string[];
  /** Of the subagents of a session: only there are their model calls written down. */
  ofSubagents(transcript: string): string[];
}

/** What a host has beyond talking to us. Each is for hosts that have it; loops work without all of them. */
export interface HostParts {
  readonly transcripts?: HostTranscripts;
  /** Skills and agents that it offers in a project, by names that an agent may be told. */
  discover?(projectRoot: string, env: Environment): string[];
}

/** A turn that is to be started from outside. */
export interface HostTurn {
  sessionId: string;
  /** The host has seen this session before. */
  known: boolean;
  text: string;
  /** As the host understands it. */
  permissionMode: string | undefined;
}

/** How a turn ended, as the host itself tells it. */
export type ToldOutcome =
  /** The agent has stopped; its last words, where it said any. */
  | { kind: "ended"; message?: string }
  /** In the host's words, which may be none. With a time when the account may be used again only then. */
  | { kind: "failed"; why: string; limitedUntilMs?: number }
  /** It was to resume a session that it has never seen, or has forgotten. */
  | { kind: "session unknown" }
  /** It was to begin a session that it has seen. */
  | { kind: "session known" };

/** How a host is started for one turn, without anybody in front of it. */
export interface HostLauncher {
  /** A name on PATH, or a path. */
  program(env: Environment): string;
  /** Completes the sentence "The agent's host cannot be started: …" with what to do about it. */
  readonly notFoundHint: string;
  /** What stands behind the program, and what it reads; `ps` shows only the former. */
  turn(turn: HostTurn): { args: string[]; stdin: string };
  /** From the end of what it has printed. */
  outcome(exitCode: number | null, printed: { stdout: string; stderr: string }): ToldOutcome;
}

/** The name that journals, flags and the registry use. */
export interface NamedHost {
  readonly name: string;
}

export interface AgentHost extends NamedHost {
  readonly environment: HostEnvironment;
  /** Limits of the host itself. */
  limits(env: Environment): HostLimits;
  /** What came on stdin, parsed, in our words. */
  parse(event: HookEvent, value: unknown): HostInput;
  /** Our answer as the one JSON object that the host reads. */
  render(event: HookEvent, answer: HostAnswer, env: Environment): object;
}
