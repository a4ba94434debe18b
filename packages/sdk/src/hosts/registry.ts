/** The hosts that we know, the likeliest first; the last one always fits. */
import { claudeCode } from "./claude-code/claude-code.js";
import type { AgentHost } from "./host.js";
import { noHost } from "./none/no-host.js";

export const HOSTS: readonly AgentHost[] = [claudeCode, noHost];

export function hostNamed(name: string): AgentHost | undefined {
  return HOSTS.find((harness) => harness.name === name);
}

/** The host in whose environment we are. */
export function detectHost(env: Readonly<Record<string, string | undefined>>): AgentHost {
  return HOSTS.find((harness) => harness.isActive(env)) ?? noHost;
}
