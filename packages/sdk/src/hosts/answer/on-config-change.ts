/** Settings of the host have changed on disk. While a loop holds the session, none may free it. */
import { logHookProblem } from "../../sessions/hook-log.js";
import { projectDirIn } from "../environments.js";
import type { HostAnswer } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { sessionLoop } from "./session-loop.js";

export async function onConfigChange(call: HostHookCall): Promise<HostAnswer> {
  const escape = escapeOf(call);
  if (escape === undefined || !(await isHeld(call))) return {};
  const { sessionId, event: hookType, places } = call;
  const message = `${escape}. Settings that end a loop have no effect while it runs.`;
  logHookProblem(places.home, { at: new Date().toISOString(), hookType, sessionId, code: "settings_refused", message });
  return { refusal: `Babysitter: ${message} Pause the loop first: babysitter loop:pause` };
}

/** For the person, at the end of a turn: the host does not show what it was refused. */
export function refusedSettings(call: HostHookCall, runName: string): string | undefined {
  const escape = escapeOf(call);
  return escape === undefined
    ? undefined
    : `⚠️ ${escape}. This session ignores it while the loop runs; a new session would not be held. To stop the loop: babysitter loop:pause ${runName}`;
}

function escapeOf({ harness, env, cwd }: HostHookCall): string | undefined {
  return partsOf(harness).escapeInSettings?.(env, projectDirIn(env) || cwd);
}

async function isHeld(call: HostHookCall): Promise<boolean> {
  const loop = (await sessionLoop(call)).journal?.summary.loop;
  return loop?.session?.sessionId === call.sessionId && loop.ended === undefined && loop.paused === undefined;
}
