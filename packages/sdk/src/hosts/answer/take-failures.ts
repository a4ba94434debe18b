/** Puts what the plugin's shell has written down about failed turns of a session into the journal. */
import { failTurn } from "../../loop-runs/fail-turn.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { forgetStopFailure, stopFailures } from "../../sessions/stop-failures.js";
import type { HookEvent } from "../host.js";
import type { HostHookCall } from "./host-call.js";

/** Only in a terminal: there the session is woken later. */
const WATCHED: ReadonlySet<HookEvent> = new Set(["stop-failure", "stop-failure-watch"]);

export async function takeFailures(
  { places: { home }, sessionId, harness, event }: Pick<HostHookCall, "places" | "sessionId" | "harness" | "event">,
  journal: RunJournal,
): Promise<void> {
  for (const failure of stopFailures(home, sessionId, (said) => harness.parse("stop-failure-watch", said))) {
    const { at, ...said } = failure;
    await failTurn(journal, { sessionId, ...said }, { at, isWatched: WATCHED.has(event) });
    // After it is recorded: a crash in between tells it twice, and the second time it is known.
    forgetStopFailure(home, failure);
  }
}
