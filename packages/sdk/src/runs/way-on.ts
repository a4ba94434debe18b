import type { RecordedRequest } from "../model/replay-index.js";
import type { FailedSteps } from "./failed-steps.js";

/** What gets a failed run on. */
export type WayOn =
  /** Its failed tasks are executed again. */
  | { is: "retry"; steps: RecordedRequest[] }
  /** Its rejected questions are asked again, and what failed beside them is retried. */
  | { is: "ask"; steps: RecordedRequest[] }
  /** The process has used the failure since, so only a copy can repeat the step. */
  | { is: "copy"; step: RecordedRequest }
  /** No step is to blame. */
  | { is: "correct" };

/** The one rule for it: what commands do about a failed run, and what they say can be done. */
export function decideWayOn({ failed, rejected, used }: FailedSteps, isRejection: boolean): WayOn {
  if (used !== undefined) return { is: "copy", step: used };
  if (rejected.length > 0 && (isRejection || failed.length === 0))
    return { is: "ask", steps: isRejection ? [...failed, ...rejected] : rejected };
  return failed.length > 0 ? { is: "retry", steps: failed } : { is: "correct" };
}
