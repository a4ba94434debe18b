/** Agents among the processes that this command was started by. A stripped environment hides nothing from that. */
import os from "node:os";
import path from "node:path";
import { isAgentEnvironment, isAgentProgram } from "../hosts/environments.js";
import { isHostProcess } from "../sessions/host-processes.js";
import { sessionPlaces } from "../sessions/session-places.js";
import { type ProcessAbove, processesAbove } from "../spawn/processes-above.js";
import type { Environment } from "./caller.js";

let found: { above: ProcessAbove[] | undefined } | undefined;

/** Looked up once: whoever started us does not change. */
export function above(): ProcessAbove[] | undefined {
  found ??= { above: processesAbove() };
  return found.above;
}

/** True for the host of an agent: by its program, or because it has called our hooks. */
export function isAgentHost(env: Environment): (one: ProcessAbove) => boolean {
  const homes = new Set([sessionPlaces({ env, cwd: currentFolder() }).home, path.join(realHome(), ".a5c")]);
  return (one) => isAgentProgram(one) || [...homes].some((home) => isHostProcess(home, one));
}

/** It may have been deleted under us. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}

/** True when an agent gives this command, as far as environment and ancestors tell. */
export function isGivenByAnAgent(env: Environment): boolean {
  return isAgentEnvironment(env) || (above()?.some(isAgentHost(env)) ?? false);
}

/** As the system knows it, whatever HOME says. */
export function realHome(): string {
  try {
    return os.userInfo().homedir;
  } catch {
    return "/nonexistent";
  }
}
