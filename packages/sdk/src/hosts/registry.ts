/** The hosts that we know, and what each of them can do. */
import { parseSessionId } from "../loop/formats/session-id.js";
import { claudeCode } from "./claude-code/claude-code.js";
import { doctor as claudeCodeDoctor } from "./claude-code/doctor.js";
import { launcher as claudeCodeLauncher } from "./claude-code/launcher.js";
import { claudeCodeParts } from "./claude-code/parts.js";
import { ENVIRONMENTS } from "./environments.js";
import { FOREIGN_SESSION_VARIABLES } from "./foreign-marks.js";
import type {
  AgentHost,
  Environment,
  HostDoctor,
  HostLauncher,
  HostParts,
  HostTranscripts,
  NamedHost,
} from "./host.js";
import { noHost } from "./none/no-host.js";

/** The likeliest first; the last one always fits. */
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

/** Each looks whether its host is there at all. */
export const HOST_DOCTORS: readonly HostDoctor[] = [claudeCodeDoctor];

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

/**
 * The session of an environment. The first variable that says anything decides: when that is no id, another
 * variable may belong to another session.
 */
export function sessionIdIn(env: Environment): string | undefined {
  const names = [...ENVIRONMENTS.flatMap(({ sessionVariables }) => sessionVariables), ...FOREIGN_SESSION_VARIABLES];
  return parseSessionId(names.map((name) => env[name]).find((value) => value !== undefined && value !== ""));
}
