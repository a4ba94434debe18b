/** Calls that would count as a word of the host or of its person, but come from somebody else. */
import { logHookProblem } from "../../sessions/hook-log.js";
import type { HookCaller } from "./hook-caller.js";
import type { HostHookCall } from "./host-call.js";

/** True, and logged, when the call must have no effect. Where the system does not tell who calls, it counts. */
export function isForged(call: HostHookCall, trusted: readonly HookCaller[]): boolean {
  const caller = call.machine.calledBy();
  if (caller === "unknown" || trusted.includes(caller)) return false;
  logForged(call, HOW[caller]);
  return true;
}

/** The same for calls that count whoever makes them, unless it is the agent itself. */
export function isAgentsOwn(call: HostHookCall): boolean {
  if (!call.machine.isCalledByTool()) return false;
  logForged(call, "by the agent itself");
  return true;
}

function logForged(call: HostHookCall, how: string): void {
  const { sessionId, event: hookType, places } = call;
  const message = `This hook was called ${how}, so nothing was done.`;
  logHookProblem(places.home, { at: new Date().toISOString(), hookType, sessionId, code: "not_the_host", message });
}

const HOW: Readonly<Record<Exclude<HookCaller, "unknown">, string>> = {
  person: "by the host",
  host: "by an unattended host",
  nested: "by a host that an agent has started",
  nobody: "by a program other than the host",
};
