/** What is said to a host, by what has happened in it. */
import type { HookEvent, HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";
import { onConfigChange } from "./on-config-change.js";
import { onExpansion } from "./on-expansion.js";
import { onPermissionRequest } from "./on-permission-request.js";
import { onPostToolUse } from "./on-post-tool-use.js";
import { onPreToolUse } from "./on-pre-tool-use.js";
import { onSessionEnd } from "./on-session-end.js";
import { onSessionStart } from "./on-session-start.js";
import { onStop } from "./on-stop.js";
import { onStopFailure } from "./on-stop-failure.js";
import { onStopWatch } from "./on-stop-watch.js";
import { onUserPrompt } from "./on-user-prompt.js";
import { tellRelease } from "./tell-release.js";

type Handler = (call: HostHookCall) => Promise<HostAnswer>;

/** What is missing here has nothing to say. */
const HANDLERS: Partial<Record<HookEvent, Handler>> = {
  stop: onStop,
  "stop-watch": onStopWatch,
  "stop-failure": onStopFailure,
  "stop-failure-watch": onStopWatch,
  "session-start": onSessionStart,
  "session-end": onSessionEnd,
  "user-prompt-submit": onUserPrompt,
  "pre-tool-use": onPreToolUse,
  "post-tool-use": onPostToolUse,
  "permission-request": onPermissionRequest,
  "user-prompt-expansion": onExpansion,
  "config-change": onConfigChange,
};

export async function answerHost(call: HostHookCall): Promise<HostAnswer> {
  return tellRelease(call, (await HANDLERS[call.event]?.(call)) ?? {});
}
