/**
 * Who has called a hook. What comes with the call of a prompt or dialog counts as a person's word, so it must come from
 * the host itself: an agent can call the same program with the same words, but not from the same place.
 */
import { isToolShell, isUnattended } from "../environments.js";
import type { Environment, ProcessFacts } from "../host.js";

/**
 * `person`: the host, in front of which somebody sits. `host`: the host, without anybody. `nested`: a host that an agent
 * has started. `nobody`: anything else. `unknown`: the system does not tell.
 */
export type HookCaller = "person" | "host" | "nested" | "nobody" | "unknown";

export interface CallFacts<One extends ProcessFacts> {
  /** From the parent up. */
  above: readonly One[] | undefined;
  isHost: (one: One) => boolean;
  /** What the hook writes to. Hosts read from a local socket, and no shell can make one. */
  stdout: "socket" | "other";
  env: Environment;
}

export function hookCaller<One extends ProcessFacts>({ above, isHost, stdout, env }: CallFacts<One>): HookCaller {
  if (above === undefined) return "unknown";
  const at = above.findIndex((one) => isHost(one));
  const host = above[at];
  if (host === undefined || stdout !== "socket" || !above.slice(0, at).every(isHookCommand)) return "nobody";
  if (above.slice(at + 1).some((one) => isHost(one))) return "nested";
  return isUnattended(host, env) ? "host" : "person";
}

/**
 * True when an agent has called the hook with a tool of its host. Calls that need no proof to count are refused on this
 * evidence only: what stands between a host and its hooks may be any script of a user.
 */
export function isToolCall<One extends ProcessFacts>({ above, isHost }: Pick<CallFacts<One>, "above" | "isHost">) {
  const at = above?.findIndex((one) => isHost(one)) ?? -1;
  return above?.slice(0, Math.max(at, 0)).some(isToolShell) ?? false;
}

const SHELL = /(?:^|\/)(?:sh|ash|bash|dash|ksh|zsh)$/u;
/** The commands of our plugin's hooks. */
const GUARD = /^set -- [a-z-]+; \[ ! -r "([^"]+\/hooks\/guard\.sh)" \] \|\| \. "\1"$/u;
/** One plain command, as other plugins may have it: nothing that could do something else before. */
const PLAIN = /^[^;&|<>`$(){}\n]*$/u;
const OUR_HOOK = /[\s'"]hook:run(?:[\s'"]|$)/u;

/** The shell in which a host runs our hook; the shell of an agent's tool has more to do. */
export function isHookCommand({ argv: [shell = "", flag, ...rest] }: ProcessFacts): boolean {
  if (!SHELL.test(shell) || flag !== "-c") return false;
  // Where only a command line is known it was cut at its blanks.
  const text = rest.join(" ");
  return GUARD.test(text) || (PLAIN.test(text) && OUR_HOOK.test(text));
}
