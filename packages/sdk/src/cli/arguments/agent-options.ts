/** Which agent a command asks for. Apart from what drives one: most commands ask for none. */

import { RETRIES, type RetryPlan } from "../../drive/agent-turns.js";
import { drivenHosts, launcherOf } from "../../hosts/host-parts.js";
import { durationOf } from "../grammar/durations.js";
import type { Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";
import { loopTerms } from "./loop-terms.js";

/** A host that is silent for this long is considered hung. */
const SILENCE_MS = 30 * 60_000;
/** Options that say something about the agent, and nothing without one. */
const FOR_AGENTS = [
  "permission-mode",
  "agent-timeout",
  "agent-retries",
  "agent-retry-ms",
  "max-iterations",
  "budget-usd",
  "budget-tokens",
  "max-time",
  "no-wait",
];

/** The agent that was asked for; undefined when none was. */
export function agentOf(invocation: Invocation): string | undefined {
  const { options } = invocation;
  const agent = options.text("agent");
  if (agent === undefined) {
    const vain = FOR_AGENTS.find((name) => options.text(name) !== undefined || options.flag(name));
    if (vain !== undefined) throw usageError(invocation, `--${vain} requires --agent.`);
    return undefined;
  }
  if (launcherOf(agent) === undefined)
    throw usageError(invocation, `--agent must be ${drivenHosts().join(" or ")}, not "${agent}".`);
  // A wrong value is told before anything is begun.
  silenceOf(invocation);
  retriesOf(invocation);
  loopTerms(invocation);
  return agent;
}

/** Nobody sits beside it: whoever leaves a run to an agent comes back to it being done, not to it having ended. */
export function waitsForPeople({ options }: Invocation): boolean {
  return !options.flag("no-wait");
}

export function silenceOf({ options, name }: Invocation): number {
  const given = options.text("agent-timeout");
  return given === undefined ? SILENCE_MS : durationOf(name, "agent-timeout", given);
}

export function retriesOf({ options, name }: Invocation): RetryPlan {
  return {
    most: numberOption(name, options, "agent-retries") ?? RETRIES.most,
    firstPauseMs: numberOption(name, options, "agent-retry-ms") ?? RETRIES.firstPauseMs,
  };
}
