import type { Ports } from "../model/ports.js";
import { localPorts } from "./local-ports.js";
import { sdkAccess } from "./sdk-access.js";

/** The runs in a directory of this machine, for the use cases of `./operate`. */
export function openRuns({ runsDir, env = process.env }: { runsDir: string; env?: NodeJS.ProcessEnv }): Ports {
  return localPorts({ runsDir, sdk: sdkAccess(), env });
}
