/** Who has called this hook, from what the system knows of the processes above it. */
import { type HookCaller, hookCaller, isHookCommand, isToolCall } from "../../hosts/answer/hook-caller.js";
import { isAgentEnvironment } from "../../hosts/environments.js";
import { recordHostProcess } from "../../sessions/host-processes.js";
import { lifeHere } from "../../spawn/life-here.js";
import { isLocalSocket } from "../../spawn/local-socket.js";
import type { ProcessAbove } from "../../spawn/processes-above.js";
import { above, isAgentHost } from "../agents-above.js";
import type { Environment } from "../caller.js";

export function calledBy(env: Environment): HookCaller {
  return hookCaller({ above: above(), isHost: isAgentHost(env), stdout: isLocalSocket(1) ? "socket" : "other", env });
}

export function isCalledByTool(env: Environment): boolean {
  return isToolCall({ above: above(), isHost: isAgentHost(env) });
}

/** The process that has started this hook, or the shell that runs it. */
export function callingHost(): ProcessAbove | undefined {
  return above()?.find((one) => !isHookCommand(one));
}

/** At the start of a session: what the host will start is an agent's, whatever its program is called. */
export function recordCallingHost(env: Environment, home: string): void {
  const host = callingHost();
  if (host !== undefined && isAgentEnvironment(env)) recordHostProcess(home, host, lifeHere);
}
