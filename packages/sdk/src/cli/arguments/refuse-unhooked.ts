import { isAgentEnvironment } from "../../hosts/environments.js";
import { detectHost, sessionIdIn } from "../../hosts/registry.js";
import { refuseWithoutHooks } from "../../machine/doctor/refuse-without-hooks.js";
import type { Invocation } from "../grammar/invocation.js";
import { sessionOf } from "./session-of.js";

/** To be asked before a command binds the session in whose shell it runs. */
export async function refuseUnhooked(invocation: Invocation): Promise<void> {
  const { env } = invocation;
  const isOwn = isAgentEnvironment(env) && sessionOf(invocation) === sessionIdIn(env);
  if (isOwn) await refuseWithoutHooks(invocation, detectHost(env).name);
}
