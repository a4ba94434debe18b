/** Notices that a clock has gone back: the one of this machine, or the one of an earlier command that was wrong. */
import { isFinished, type RunSummary } from "../model/run-state.js";
import { shownDuration, shownTime } from "../model/shown-amounts.js";
import { clockBehind } from "../model/time-spans.js";
import type { RunJournal } from "./run-journal.js";

/** What a program that stays alive knows of its own clock. */
export class WatchedClock {
  #last: { wallMs: number; steadyMs: number } | undefined;

  /** How far the clock went back since the last look; undefined at the first look, and if it did not. */
  look(wallMs: number): number | undefined {
    const steadyMs = performance.now();
    const last = this.#last;
    this.#last = { wallMs, steadyMs };
    const byMs = last === undefined ? 0 : Math.round(last.wallMs + steadyMs - last.steadyMs - wallMs);
    return byMs > 0 ? byMs : undefined;
  }
}

/**
 * Records a clock that is earlier than the journal, once, so that time spans count by it from now on; answers what
 * to tell people. A run that began with the first rules of replay is only told about.
 */
export async function noticeSetBack(journal: RunJournal, clock: WatchedClock): Promise<string[]> {
  const now = journal.ports.clock.now();
  const byMs = clock.look(now.getTime());
  const text = clockText(journal.summary, now);
  if (text === undefined || isFinished(journal.summary)) return [];
  const { newestAt, created } = journal.summary;
  // Seen from here, and enough to explain what the journal shows: what has passed of a span still counts.
  const seen = byMs !== undefined && byMs >= Date.parse(newestAt) - now.getTime() ? { byMs } : {};
  if (created.semantics >= 2)
    await journal.commit((summary, appended) =>
      appended.length > 0 || isFinished(summary) || clockBehind(summary, now.getTime()) === undefined
        ? []
        : [
            {
              type: "CLOCK_SET_BACK",
              timestamp: now.toISOString(),
              payload: { newest: newestAt, ...seen },
            },
          ],
    );
  return [text];
}

/** That the clock and the journal of a run do not fit together; undefined if they do. */
export function clockText(summary: RunSummary, now: Date): string | undefined {
  const behindMs = clockBehind(summary, now.getTime());
  if (behindMs === undefined) return undefined;
  return `The clock shows ${shownTime(now.toISOString())}, ${shownDuration(behindMs)} before an event of this run (${shownTime(summary.newestAt)}): it is wrong now, or was wrong then.`;
}
