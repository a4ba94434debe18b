/**
 * A session of a terminal rests: its agent waits for a person, for the time, or for the host to recover. Whoever
 * watches it has to know when it is to go on. Nothing here asks a model: waiting costs nothing.
 */
import type { LoopState } from "../../model/loop-state.js";
import { isLasting } from "./host-errors.js";
import type { RunView } from "./situation.js";

export interface Watched {
  state: LoopState;
  run: RunView;
  /** Place of the newest result in the journal. */
  lastResolution: number;
  sessionId: string;
  /** How to name the run in a command. */
  runName: string;
  /** When the stop came that the watch is about. */
  since: Date;
  /** What the watch is about, once that was seen. */
  about?: string;
  now: Date;
}

/** `about` names the decision, or the failure, that made the session rest: one watch is enough for each. */
export type Watch =
  | { kind: "over" }
  /** Look again when the journal changes, or then. */
  | { kind: "wait"; until: Date; about?: string }
  | { kind: "wake"; text: string; about: string };

const OVER: Watch = { kind: "over" };

/** The stop is decided at the same time; how long that may take. */
const DECIDING_MS = 70_000;
/** What runs in the background wakes the session by itself when it ends. One that never ends is looked after. */
const BACKGROUND_MS = 30 * 60_000;
/** How long to wait after the first failed turn, the second, …; the host has tried again by itself before. */
const RETRIES_MS = [15_000, 60_000, 300_000, 900_000, 1_800_000, ...Array.from({ length: 8 }, () => 3_600_000)];
/** Nothing is known that will happen; the journal is looked at all the same. */
const LONG_MS = 3_600_000;

export function watchSession(watched: Watched): Watch {
  const { state, run, sessionId } = watched;
  if (state.session?.sessionId !== sessionId || state.paused !== undefined) return OVER;
  if (state.ended !== undefined || run.cancelled) return OVER;
  if (state.failure !== undefined && !state.turn.open)
    return unlessNewer(watched, `failure-${Date.parse(state.failure.at)}`, afterFailure(state.failure, watched));
  const { lastStop } = state;
  if (lastStop === undefined || Date.parse(lastStop.at) < watched.since.getTime()) return undecided(watched);
  // The stop that ends the turn which is open now will have a watch of its own.
  return state.turn.open ? OVER : unlessNewer(watched, `stop-${lastStop.seq}`, atRest(watched, lastStop));
}

/** What is newer has a watch of its own. */
function unlessNewer({ about }: Watched, now: string, rest: Rest): Watch {
  return rest === undefined || (about ?? now) !== now ? OVER : { ...rest, about: now };
}

/** Undefined when there is nothing to wait for. */
type Rest = { kind: "wait"; until: Date } | { kind: "wake"; text: string } | undefined;

function undecided({ since, now }: Watched): Watch {
  const until = new Date(since.getTime() + DECIDING_MS);
  return now < until ? { kind: "wait", until } : OVER;
}

function atRest(watched: Watched, { seq, at, code }: NonNullable<LoopState["lastStop"]>): Rest {
  const { run, runName, now, lastResolution } = watched;
  const iterate = `babysitter run:iterate ${runName}`;
  switch (code) {
    case "awaiting_human":
    case "awaiting_time": {
      if (lastResolution > seq || run.pendingKinds.length === 0)
        return wake(
          `the question that the run waited for was decided; the decision is in the run, not here. Continue: ${iterate}`,
        );
      const until = run.dueAt === undefined ? new Date(now.getTime() + LONG_MS) : new Date(run.dueAt);
      return until <= now ? wake(`the run's sleep is over. Continue: ${iterate}`) : waitFor(until);
    }
    case "awaiting_background": {
      const until = new Date(Date.parse(at) + BACKGROUND_MS);
      if (until > now) return waitFor(until);
      return wake(
        "the background work you started is still running after half an hour. Check whether it makes progress: continue without it, or stop it.",
      );
    }
    default:
      return undefined;
  }
}

/** Undefined when the turn is not tried again. */
export function pauseAfterFailure({ error, times }: { error: string; times: number }): number | undefined {
  return isLasting(error) ? undefined : RETRIES_MS[times - 1];
}

function afterFailure(failure: NonNullable<LoopState["failure"]>, { now, runName }: Watched): Rest {
  const { error, at } = failure;
  const pause = pauseAfterFailure(failure);
  if (pause === undefined) return undefined;
  const until = new Date(Date.parse(at) + pause);
  if (until > now) return waitFor(until);
  return wake(
    `your last turn ended with a host error (${error}), not one of yours. Continue where you left off; to check the loop: babysitter loop:status ${runName}`,
  );
}

function waitFor(until: Date): Rest {
  return { kind: "wait", until };
}

function wake(text: string): Rest {
  return { kind: "wake", text: `Babysitter: ${text}` };
}
