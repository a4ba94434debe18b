/** What the journal tells about a step of a run. */
import type { RecordedRequest } from "../model/replay-index.js";
import type { RunJournal } from "./run-journal.js";

/** True when the process has requested nothing since it got this result, if it has got it at all. */
export function isUnused({ summary }: RunJournal, { resolution }: RecordedRequest): boolean {
  return resolution !== undefined && resolution.seq > summary.lastAfter;
}

/** A task, or anything else but a question, that ended with an error. */
export function hasFailed({ kind, resolution }: Pick<RecordedRequest, "kind" | "resolution">): boolean {
  return kind !== "breakpoint" && resolution?.status === "error";
}

/** A step as people know it; its place is told where the name alone is not enough. */
export function stepName({ title, taskId, invocationKey }: RecordedRequest): string {
  const name = title ?? taskId;
  return invocationKey === `${name}:1` ? `"${name}"` : `"${name}" (${invocationKey})`;
}
