/** Records that a turn has ended with an error of the host. */
import type { TurnFailed } from "../model/loop-events.js";
import type { LoopState } from "../model/loop-state.js";
import type { RunJournal } from "../runs/run-journal.js";

/** False when it is known, when the session has ended a turn since, or when the loop is not the session's. */
export async function failTurn(journal: RunJournal, failed: TurnFailed, at: Date): Promise<boolean> {
  const timestamp = journal.ports.clock.now().toISOString();
  const events = await journal.commit((summary, appended) =>
    appended.length > 0 || !isNews(summary.loop, failed, at)
      ? []
      : [{ type: "TURN_FAILED", timestamp, payload: failed }],
  );
  await journal.saveCaches();
  return events.length > 0;
}

function isNews(loop: LoopState | undefined, { sessionId, report }: TurnFailed, at: Date): boolean {
  if (loop === undefined || loop.ended !== undefined || loop.session?.sessionId !== sessionId) return false;
  const { failure } = loop;
  if (failure?.report === report) return false;
  if (failure?.by === "driver" && at.getTime() <= Date.parse(failure.at)) return false;
  return loop.lastStop === undefined || at.getTime() >= Date.parse(loop.lastStop.at);
}
