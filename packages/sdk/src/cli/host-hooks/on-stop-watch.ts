/**
 * Beside the hook that decides about a stop: in a terminal the session rests afterwards, and this one waits, without
 * a model, until there is something to do again. The host takes its end for a call.
 */
import type { HostAnswer } from "../../harness/harness-adapter.js";
import { watchJournal } from "../../journal/watch-journal.js";
import { type Watch, watchSession } from "../../loop/watch-session.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { runName } from "../choose-run.js";
import type { HostCall } from "./host-call.js";
import { sessionRun } from "./session-questions.js";
import { takeFailures } from "./take-failures.js";

/** Its own end has to come before the host's. */
const MARGIN_MS = 5_000;
/** Clocks are set and machines sleep: a long wait is looked at again. */
const LONGEST_LOOK_MS = 60_000;

export async function onStopWatch(call: HostCall): Promise<HostAnswer> {
  const journal = await sessionRun(call);
  if (journal === undefined) return {};
  await takeFailures(call, journal);
  const text = await wakingText(call, journal);
  return text === undefined ? {} : { wake: text };
}

/** Waits; undefined when nobody is left to wake. */
async function wakingText(call: HostCall, journal: RunJournal): Promise<string | undefined> {
  const parent = process.ppid;
  const end = performance.now() + call.deadlineMs - MARGIN_MS;
  let look: (() => void) | undefined;
  const stopWatching = watchJournal(journal.runDir, () => look?.());
  try {
    for (let stop: number | undefined; ; ) {
      const changed = new Promise<void>((resolve) => void (look = resolve));
      await journal.catchUp();
      const watch = watchNow(call, journal, stop);
      if (watch.kind === "wake") return watch.text;
      if (watch.kind === "over" || process.ppid !== parent || performance.now() > end) return undefined;
      stop ??= watch.stop;
      const timer = setTimeout(() => look?.(), pauseUntil(watch.until));
      await changed;
      clearTimeout(timer);
    }
  } finally {
    stopWatching();
  }
}

function pauseUntil(until: Date): number {
  return Math.min(Math.max(until.getTime() - Date.now(), 0), LONGEST_LOOK_MS);
}

function watchNow(call: HostCall, journal: RunJournal, stop: number | undefined): Watch {
  const { summary } = journal;
  if (summary.loop === undefined) return { kind: "over" };
  return watchSession({
    state: summary.loop,
    run: runViewOf(summary),
    lastResolution: summary.lastResolution,
    sessionId: call.sessionId,
    runName: runName(call, journal),
    since: call.since,
    ...(stop === undefined ? {} : { stop }),
    now: journal.ports.clock.now(),
  });
}
