import type { JournalEvent } from "../model/events.js";
import type { RunJournal } from "./run-journal.js";

export interface WaitOptions {
  /** Gives up after this time; without it, never. */
  timeoutMs?: number | undefined;
  /** Looks again after this time although nothing was appended, for what the journal does not tell. */
  lookAgainMs?: (() => number) | undefined;
  /** Rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Longer than any timer can be set for; whoever waits this long waits forever. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits until `look` has an answer. It is asked at the start and after every change of the journal, with the events
 * that are new to it. Undefined when the time is up.
 */
export async function waitFor<T>(
  journal: RunJournal,
  look: (news: readonly JournalEvent[]) => T | undefined,
  { timeoutMs = Number.POSITIVE_INFINITY, lookAgainMs, signal }: WaitOptions = {},
): Promise<T | undefined> {
  const end = performance.now() + timeoutMs;
  let wake: (() => void) | undefined;
  // Watching begins before the first look, so that nothing can come between the two.
  const stopWatching = journal.ports.store.watch(journal.runId, () => wake?.());
  const onAbort = (): void => wake?.();
  signal?.addEventListener("abort", onAbort);
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => void (wake = resolve));
      const answer = look(await journal.catchUp());
      if (answer !== undefined) return answer;
      signal?.throwIfAborted();
      const pauseMs = Math.min(end - performance.now(), lookAgainMs?.() ?? Number.POSITIVE_INFINITY);
      if (end <= performance.now()) return undefined;
      const timer = pauseMs > MAX_TIMER_MS ? undefined : setTimeout(() => wake?.(), Math.max(0, pauseMs));
      await changed;
      clearTimeout(timer);
    }
  } finally {
    stopWatching();
    signal?.removeEventListener("abort", onAbort);
  }
}
