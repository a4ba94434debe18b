/** Records that a turn has ended with an error of the host. */
import { pauseAfterFailure } from "../loop/rules/watch-session.js";
import type { TurnFailed } from "../model/loop-events.js";
import type { LoopState } from "../model/loop-state.js";
import type { RunJournal } from "../runs/run-journal.js";

export interface Seen {
  at: Date;
  /** Somebody will wake the session for the next try. */
  isWatched?: boolean;
}

/** False when it is known, when the session has ended a turn since, or when the loop is not the session's. */
export async function failTurn(
  journal: RunJournal,
  failed: TurnFailed,
  { at, isWatched = false }: Seen,
): Promise<boolean> {
  const now = journal.ports.clock.now();
  const timestamp = now.toISOString();
  const events = await journal.commit((summary, appended) =>
    appended.length > 0 || !isNews(summary.loop, failed, at)
      ? []
      : [{ type: "TURN_FAILED", timestamp, payload: isWatched ? withNextTry(failed, summary.loop, now) : failed }],
  );
  await journal.saveCaches();
  return events.length > 0;
}

function withNextTry(failed: TurnFailed, loop: LoopState | undefined, now: Date): TurnFailed {
  const pause = pauseAfterFailure({ error: failed.error, times: (loop?.failure?.times ?? 0) + 1 });
  return pause === undefined ? failed : { ...failed, retryAt: new Date(now.getTime() + pause).toISOString() };
}

function isNews(loop: LoopState | undefined, { sessionId, report }: TurnFailed, at: Date): boolean {
  if (loop === undefined || loop.ended !== undefined || loop.session?.sessionId !== sessionId) return false;
  const { failure } = loop;
  if (failure?.report === report) return false;
  if (failure?.by === "driver" && at.getTime() <= Date.parse(failure.at)) return false;
  return loop.lastStop === undefined || at.getTime() >= Date.parse(loop.lastStop.at);
}
