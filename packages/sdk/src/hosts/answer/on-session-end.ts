/** A session ends. */

import { releaseSession } from "../../loop-runs/change-loop.js";
import { findLoop } from "../../machine/loops/find-loop.js";
import type { HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";

/** The reason with which a host begins anew under another id; after every other one the session may come back. */
const CLEARED = "clear";

export async function onSessionEnd(call: HostHookCall): Promise<HostAnswer> {
  const { input, sessionId, registry, harness, cwd, env } = call;
  const found = registry.find(sessionId);
  if (input.reason !== CLEARED || found.kind !== "found" || !found.session.runId) return {};
  const { journal, standing } = await findLoop({ registry, harness: harness.name, cwd, env }, sessionId);
  if (journal === undefined || standing.kind !== "bound") return {};
  const { state, run } = standing;
  if (state.ended === undefined && !run.cancelled) await releaseSession(journal, sessionId, CLEARED);
  registry.end(sessionId);
  return {};
}
