import { BabysitterError } from "../model/errors.js";
import type { LogEntry } from "../model/events.js";
import type { Json } from "../model/json.js";
import type { RecordedRequest } from "../model/replay-index.js";
import type { NewRequest } from "./call.js";

/** Where the process stands. */
export type ProcessStanding =
  | { is: "open" }
  | { is: "completed"; output: Json }
  | { is: "failed"; error: unknown }
  | { is: "stalled"; why: string }
  | { is: "refused"; error: BabysitterError }
  | {
      is: "diverged";
      turn: number;
      missing: RecordedRequest[];
      unexpected: NewRequest[];
      ended: { error?: unknown } | undefined;
    };

/** What an advance brought to light, for the journal. */
export interface Progress {
  standing: ProcessStanding;
  requests: NewRequest[];
  /** Requests that were to be made anew, and that the process no longer makes. */
  dropped: RecordedRequest[];
  logs: LogEntry[];
  patches: { id: string; after: number }[];
  warnings: string[];
}

/** A process that waits although nothing is pending; for a timer of its own, perhaps. */
export function stalled(timerMs: number | undefined, limitMs: number): ProcessStanding {
  const why =
    timerMs === undefined
      ? "nothing is pending and it has no active work of its own"
      : `nothing is pending but a timer of ${timerMs} ms, and the limit is ${limitMs} ms`;
  return { is: "stalled", why };
}

/** The error for a process that waits in vain, or has asked for what cannot be recorded. */
export function stoppedError(
  standing: Extract<ProcessStanding, { is: "stalled" | "refused" }>,
  processFile: string,
): BabysitterError {
  if (standing.is === "refused") return standing.error;
  const { why } = standing;
  return new BabysitterError("PROCESS_STALLED", `The process ${processFile} cannot continue: ${why}.`, {
    hint: "It awaits what never comes, or takes too long. Await only ctx calls, files, timers and requests that end, and wait for time with ctx.sleep. To continue as it is, raise the limit: BABYSITTER_QUIET_LIMIT_MS, in milliseconds.",
    details: { process: processFile, why },
  });
}

/** The error for a request that no replay could make again. */
export function notReplayable(taskId: string, why: string): BabysitterError {
  return new BabysitterError("REQUEST_NOT_REPLAYABLE", `The process asked for "${taskId}" ${why}.`, {
    hint: "The request was not recorded, and the run can be resumed. Move what the process waited for to a task, or wait for time with ctx.sleep; BABYSITTER_QUIET_LIMIT_MS raises the time limit for work between ctx calls.",
    details: { taskId, why },
  });
}
