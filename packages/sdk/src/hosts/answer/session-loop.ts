import { type FoundLoop, findLoop } from "../../loop-runs/find-loop.js";
import type { HostHookCall } from "./host-call.js";

/** The loop of the session whose host asks. */
export function sessionLoop({ machine, harness, sessionId }: HostHookCall): Promise<FoundLoop> {
  return findLoop(machine.loops, { harness: harness.name, sessionId });
}
