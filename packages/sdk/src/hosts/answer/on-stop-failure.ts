/** A turn has failed. In a terminal somebody may be looking, and wants to know whether it is tried again. */
import { failedTurnNotice } from "../../loop/texts/failed-turn.js";
import type { HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";
import { sessionRun } from "./session-questions.js";
import { takeFailures } from "./take-failures.js";

export async function onStopFailure(call: HostHookCall): Promise<HostAnswer> {
  const journal = await sessionRun(call);
  if (journal === undefined) return {};
  await takeFailures(call, journal);
  const { loop } = journal.summary;
  // A paused loop is not tried again, and a turn that is open has been begun again already.
  if (loop?.failure === undefined || loop.paused !== undefined || loop.turn.open) return {};
  return { message: failedTurnNotice(loop.failure) };
}
