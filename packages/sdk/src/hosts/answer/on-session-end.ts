/** A session ends. */

import { releaseSession } from "../../loop-runs/change-loop.js";
import type { HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";
import { isForged } from "./is-forged.js";
import { sessionLoop } from "./session-loop.js";

/** The reason that means that a host starts over under another ID; after any other the session may come back. */
const CLEARED = "clear";

export async function onSessionEnd(call: HostHookCall): Promise<HostAnswer> {
  const { input, sessionId, registry } = call;
  const found = registry.find(sessionId);
  if (input.reason !== CLEARED || found.kind !== "found" || !found.session.runId) return {};
  if (isForged(call, ["person", "host"])) return {};
  const { journal, standing } = await sessionLoop(call);
  if (journal === undefined || standing.kind !== "bound") return {};
  const { state, run } = standing;
  if (state.ended === undefined && !run.cancelled) await releaseSession(journal, { sessionId, reason: CLEARED });
  registry.end(sessionId);
  // The session that comes after it is told.
  registry.letGo(sessionId);
  return {};
}
