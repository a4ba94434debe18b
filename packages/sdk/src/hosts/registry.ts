/** The hosts that we know, the likeliest first, the last one always fits; and what an environment says about them all. */
import { parseSessionId } from "../loop/formats/session-id.js";
import { claudeCode } from "./claude-code/claude-code.js";
import { launcher as claudeCodeLauncher } from "./claude-code/launcher.js";
import { claudeCodeParts } from "./claude-code/parts.js";
import {
  FOREIGN_AGENT_MARKS,
  FOREIGN_SESSION_VARIABLES,
  FOREIGN_VARIABLES,
  SHARED_SESSION_MARKS,
} from "./foreign-marks.js";
import type {
  AgentHost,
  Environment,
  HostEnvironment,
  HostLauncher,
  HostParts,
  HostTranscripts,
  NamedHost,
} from "./host.js";
import { noHost } from "./none/no-host.js";

export const HOSTS: readonly AgentHost[] = [claudeCode, noHost];

/** By name, and apart from the hosts: a program that asks for none of it does not have to carry it. */
const PARTS: Readonly<Record<string, HostParts>> = { "claude-code": claudeCodeParts };

export function partsOf({ name }: NamedHost): HostParts {
  return (Object.hasOwn(PARTS, name) ? PARTS[name] : undefined) ?? {};
}

/** The hosts that can be started, by name. */
const LAUNCHERS: Readonly<Record<string, HostLauncher>> = { "claude-code": claudeCodeLauncher };

export function launcherOf(name: string): HostLauncher | undefined {
  return Object.hasOwn(LAUNCHERS, name) ? LAUNCHERS[name] : undefined;
}

export function drivenHosts(): string[] {
  return Object.keys(LAUNCHERS);
}

/** For a transcript that may be anybody's: the likeliest format. */
export function knownFormat(): HostTranscripts {
  const [first] = Object.values(PARTS).flatMap(({ transcripts }) => transcripts ?? []);
  if (first === undefined) throw new Error("No host has transcripts.");
  return first;
}

export function hostNamed(name: string): AgentHost | undefined {
  return HOSTS.find((host) => host.name === name);
}

/** The host in whose environment we are. */
export function detectHost(env: Environment): AgentHost {
  return HOSTS.find(({ environment }) => environment.isActive(env)) ?? noHost;
}

/** True when an agent runs this command, so that nobody who types here may answer for a human. */
export function isAgentEnvironment(env: Environment): boolean {
  return Object.keys(env).some((name) => isMark(name, "agentMarks", FOREIGN_AGENT_MARKS));
}

/** True for a command that an agent has given: it must not speak for its host by calling a hook itself. */
export function isGivenByAgent(env: Environment): boolean {
  return HOSTS.some(({ environment }) => environment.isGivenByAgent?.(env) === true);
}

/**
 * The session of an environment. The first variable that says anything decides: when that is no id, another
 * variable may belong to another session.
 */
export function sessionIdIn(env: Environment): string | undefined {
  const names = [...HOSTS.flatMap(({ environment }) => environment.sessionVariables), ...FOREIGN_SESSION_VARIABLES];
  return parseSessionId(names.map((name) => env[name]).find((value) => value !== undefined && value !== ""));
}

/** The variable by which a host says where its project is, where one does. */
export function projectVariableIn(env: Environment): string | undefined {
  return variableIn(env, "projectVariable");
}

/** The folder of the project, as the host says it. */
export function projectDirIn(env: Environment): string | undefined {
  return valueIn(env, projectVariableIn(env));
}

/** The folder of our plugin, as the host says it to the plugin's hooks. */
export function pluginRootIn(env: Environment): string | undefined {
  return valueIn(env, variableIn(env, "pluginVariable"));
}

/** Without anything by which a tool could see that an agent is at work. */
export function withoutAgents(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isMark(name, "ownVariables", FOREIGN_VARIABLES)));
}

/** Without what says which session this is, for a host that is started with a session of its own. */
export function withoutSession(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isMark(name, "sessionMarks", SHARED_SESSION_MARKS)),
  );
}

function isMark(name: string, kind: "agentMarks" | "ownVariables" | "sessionMarks", others: RegExp): boolean {
  return others.test(name) || HOSTS.some(({ environment }) => environment[kind]?.test(name) === true);
}

function variableIn(
  env: Environment,
  kind: keyof Pick<HostEnvironment, "projectVariable" | "pluginVariable">,
): string | undefined {
  return HOSTS.map(({ environment }) => environment[kind]).find((name) => name !== undefined && Boolean(env[name]));
}

function valueIn(env: Environment, name: string | undefined): string | undefined {
  return name === undefined ? undefined : env[name];
}
