/** The hosts that we know, the likeliest first; the last one always fits. */
import { claudeCode } from "./claude-code.js";
import type { HarnessAdapter } from "./harness-adapter.js";
import { noHost } from "./no-host.js";

export const HARNESSES: readonly HarnessAdapter[] = [claudeCode, noHost];

export function harnessNamed(name: string): HarnessAdapter | undefined {
  return HARNESSES.find((harness) => harness.name === name);
}

/** The host in whose environment we are. */
export function detectHarness(env: Readonly<Record<string, string | undefined>>): HarnessAdapter {
  return HARNESSES.find((harness) => harness.isActive(env)) ?? noHost;
}
