/**
 * An agent host, as data and two small functions: what it says on stdin in our words, and our answer in its
 * words. Everything between the two is the same for all hosts.
 */
import type { HostLimits, StopInput } from "../loop/rules/situation.js";
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

export interface AgentHost {
  readonly name: string;
  readonly environment: HostEnvironment;
  /** Limits of the host itself. */
  limits(env: Environment): HostLimits;
  /** What came on stdin, parsed, in our words. */
  parse(event: HookEvent, value: unknown): HostInput;
  /** Our answer as the one JSON object that the host reads. */
  render(event: HookEvent, answer: HostAnswer, env: Environment): object;
}
