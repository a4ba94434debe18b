/** What is said to a host, by what has happened in it. */
import type { HostAnswer } from "../../harness/harness-adapter.js";
import type { HostCall } from "./host-call.js";
import { onSessionEnd } from "./on-session-end.js";
import { onSessionStart } from "./on-session-start.js";
import { onStop } from "./on-stop.js";
import { onUserPrompt } from "./on-user-prompt.js";

export { letGo } from "./let-go.js";

export async function answerHost(call: HostCall): Promise<HostAnswer> {
  if (call.event === "stop") return onStop(call);
  if (call.event === "session-start") return onSessionStart(call);
  if (call.event === "session-end") return onSessionEnd(call);
  return call.event === "user-prompt-submit" ? onUserPrompt(call) : {};
}
