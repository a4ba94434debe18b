/** The session that a command is given in, and the machine as loops see it. */
import { isAgentEnvironment } from "../../hosts/environments.js";
import { detectHost, sessionIdIn, sessionVariableIn } from "../../hosts/registry.js";
import { parseSessionId } from "../../loop/formats/session-id.js";
import type { HostSession } from "../../loop-runs/find-loop.js";
import { refuseWithoutHooks } from "../../machine/doctor/refuse-without-hooks.js";
import { localLoopMaker } from "../../machine/loops/local-loop-maker.js";
import { BabysitterError } from "../../model/errors.js";
import type { Invocation } from "../grammar/invocation.js";
import { callerOf } from "./caller.js";

/** Named, else the one that the environment names. A name that is none must not pass for no session at all. */
export function sessionOf({ options, env }: Pick<Invocation, "options" | "env">): string | undefined {
  const given = options.text("session-id");
  const variable = given === undefined ? sessionVariableIn(env) : undefined;
  const text = variable === undefined ? given : env[variable];
  if (text === undefined) return undefined;
  const id = parseSessionId(text);
  if (id !== undefined) return id;
  const where = variable === undefined ? "" : ` (${variable})`;
  throw new BabysitterError("INVALID_ID", `${JSON.stringify(text.slice(0, 60))}${where} is not a valid session ID.`, {
    hint: "Use 1 to 128 letters, digits, dots, dashes and underscores, not starting with a dot, without '..'.",
  });
}

export function harnessNameOf({ options, env }: Pick<Invocation, "options" | "env">): string {
  return options.text("harness") ?? detectHost(env).name;
}

/** The session with its host; undefined outside any session. */
export function hostSessionOf(invocation: Invocation): HostSession | undefined {
  const sessionId = sessionOf(invocation);
  return sessionId === undefined ? undefined : { harness: harnessNameOf(invocation), sessionId };
}

/** To be asked before a command binds the session in whose shell it runs. */
export async function refuseUnhooked(invocation: Invocation): Promise<void> {
  const { env } = invocation;
  const isOwn = isAgentEnvironment(env) && sessionOf(invocation) === sessionIdIn(env);
  if (isOwn) await refuseWithoutHooks(invocation, detectHost(env).name);
}

export function loopMakerOf(invocation: Invocation): ReturnType<typeof localLoopMaker> {
  const options = { ...callerOf(invocation), stateDir: invocation.options.text("state-dir") };
  return localLoopMaker(options, invocation.typed?.sessions);
}
