/** Session files are views: one that cannot be written must not turn what the journal says into something else. */
import { writeSessionView } from "../../loop-runs/session-view.js";
import { BabysitterError } from "../../model/errors.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { logHookProblem } from "../../sessions/hook-log.js";
import type { HostHookCall } from "./host-call.js";

/** Answers why it could not be written. */
export async function writeView(call: HostHookCall, journal: RunJournal): Promise<BabysitterError | undefined> {
  return logRefusal(call, async () => writeSessionView(call.registry, journal));
}

export async function logRefusal(
  { places, event, sessionId }: HostHookCall,
  act: () => Promise<unknown>,
): Promise<BabysitterError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    const { code, message } = error;
    logHookProblem(places.home, { at: new Date().toISOString(), hookType: event, sessionId, code, message });
    return error;
  }
}
