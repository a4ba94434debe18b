/** Whether a session may continue, judged by its file alone: no longer than allowed, and no faster than real work. */
import { nextIterationTimes } from "../../model/loop-state.js";
import type { SessionFile } from "./session-file.js";

/** Iterations in seconds, on average, that are too fast to be work. */
const THRESHOLD = 15;
const SAMPLES = 3;
/** Before this one nothing is too fast. */
const FIRST_CHECKED = 5;

/** The document of `session:check-iteration`. */
export type IterationCheck =
  | { found: false; shouldContinue: false; reason: "no_active_loop"; stopMessage: string }
  | {
      found: true;
      shouldContinue: true;
      nextIteration: number;
      updatedIterationTimes: number[];
      iteration: number;
      maxIterations: number;
      runId: string;
      prompt: string;
    }
  | { found: true; shouldContinue: false; reason: "loop_inactive"; stopMessage: string }
  | {
      found: true;
      shouldContinue: false;
      reason: "max_iterations_reached";
      iteration: number;
      maxIterations: number;
      stopMessage: string;
    }
  | {
      found: true;
      shouldContinue: false;
      reason: "iteration_too_fast";
      averageTime: number;
      threshold: number;
      stopMessage: string;
    };

/** `now` is an ISO 8601 time. */
export function checkIteration(session: SessionFile | undefined, now: string): IterationCheck {
  if (session === undefined)
    return { found: false, shouldContinue: false, reason: "no_active_loop", stopMessage: "No session file found" };
  const { active, iteration, maxIterations, runId = "", prompt } = session;
  const stopped = { found: true, shouldContinue: false } as const;
  if (!active) return { ...stopped, reason: "loop_inactive", stopMessage: "The loop of this session is not active" };
  if (maxIterations > 0 && iteration >= maxIterations) {
    const stopMessage = `Max iterations (${maxIterations}) reached`;
    return { ...stopped, reason: "max_iterations_reached", iteration, maxIterations, stopMessage };
  }
  const times = updateIterationTimes(session.iterationTimes, session.lastIterationAt, now);
  if (iteration >= FIRST_CHECKED && isIterationTooFast(times)) {
    const averageTime = Math.round(averageOf(times) * 10) / 10;
    const stopMessage = `Average iteration time too fast (${averageTime}s <= ${THRESHOLD}s)`;
    return { ...stopped, reason: "iteration_too_fast", averageTime, threshold: THRESHOLD, stopMessage };
  }
  return {
    found: true,
    shouldContinue: true,
    nextIteration: iteration + 1,
    updatedIterationTimes: times,
    iteration,
    maxIterations,
    runId,
    prompt,
  };
}

/** The lengths of the last three iterations, in whole seconds; unknown times and a clock that went back add none. */
export function updateIterationTimes(
  existingTimes: readonly number[],
  lastIterationAt: string | undefined,
  currentTime: string,
): number[] {
  return nextIterationTimes(existingTimes, epochSeconds(currentTime) - epochSeconds(lastIterationAt ?? ""));
}

export function isIterationTooFast(iterationTimes: readonly number[]): boolean {
  return iterationTimes.length >= SAMPLES && averageOf(iterationTimes) <= THRESHOLD;
}

function epochSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}

function averageOf(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}
