/**
 * The hosts that we know. Every call of a hook loads this, mostly for nothing: what a host can do beyond talking to us
 * is in host-parts.ts, and what is known of its environment alone in environments.ts.
 */
import { parseSessionId } from "../loop/formats/session-id.js";
import { claudeCode } from "./claude-code/claude-code.js";
import { ENVIRONMENTS } from "./environments.js";
import { FOREIGN_SESSION_VARIABLES } from "./foreign-marks.js";
import type { AgentHost, Environment } from "./host.js";
import { noHost } from "./none/no-host.js";

/** The likeliest first; the last one always fits. */
export const HOSTS: readonly AgentHost[] = [claudeCode, noHost];

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
  const variable = sessionVariableIn(env);
  return variable === undefined ? undefined : parseSessionId(env[variable]);
}

/** The variable that says which session this is. */
export function sessionVariableIn(env: Environment): string | undefined {
  const names = [...ENVIRONMENTS.flatMap(({ sessionVariables }) => sessionVariables), ...FOREIGN_SESSION_VARIABLES];
  return names.find((name) => env[name] !== undefined && env[name] !== "");
}
