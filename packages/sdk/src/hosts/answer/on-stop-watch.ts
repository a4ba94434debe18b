/**
 * Beside the hook that decides about a stop: in a terminal the session rests afterwards, and this one waits, without
 * a model, until there is something to do again. The host takes its end for a call.
 */
import { type Watch, watchSession } from "../../loop/rules/watch-session.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { waitFor } from "../../runs/wait-for.js";
import type { HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";
import { sessionRun } from "./session-questions.js";
import { takeFailures } from "./take-failures.js";

/** Must end before the host's own timeout. */
const MARGIN_MS = 5_000;
/** Clocks change and machines sleep: a long wait is re-checked. */
const MAX_LOOK_MS = 60_000;

export async function onStopWatch(call: HostHookCall): Promise<HostAnswer> {
  const journal = await sessionRun(call);
  if (journal === undefined) return {};
  await takeFailures(call, journal);
  const text = await wakingText(call, journal);
  return text === undefined ? {} : { wake: text };
}

/** Waits; undefined when nobody is left to wake. */
async function wakingText(call: HostHookCall, journal: RunJournal): Promise<string | undefined> {
  const host = call.hostPid ?? process.ppid;
  let about: string | undefined;
  let until = new Date(0);
  const look = (): { text?: string } | undefined => {
    const watch = watchNow(call, journal, about);
    if (watch.kind === "over" || process.ppid !== host) return {};
    if (about === undefined && watch.about !== undefined && !call.machine.claimOnce(journal, `watch-${watch.about}`))
      return {};
    if (watch.kind === "wake") return { text: watch.text };
    about ??= watch.about;
    until = watch.until;
    return undefined;
  };
  const timeoutMs = call.deadlineMs - MARGIN_MS;
  return (await waitFor(journal, look, { timeoutMs, lookAgainMs: () => pauseUntil(until) }))?.text;
}

function pauseUntil(until: Date): number {
  return Math.min(Math.max(until.getTime() - Date.now(), 0), MAX_LOOK_MS);
}

function watchNow(call: HostHookCall, journal: RunJournal, about: string | undefined): Watch {
  const { summary } = journal;
  if (summary.loop === undefined) return { kind: "over" };
  return watchSession({
    state: summary.loop,
    run: runViewOf(journal),
    lastResolution: summary.lastResolution,
    sessionId: call.sessionId,
    runName: call.machine.runName(journal),
    since: call.since,
    ...(about === undefined ? {} : { about }),
    now: journal.ports.clock.now(),
  });
}
