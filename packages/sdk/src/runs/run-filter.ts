/** Which runs someone means who says what they are like instead of naming them. */
import type { ListedRun } from "./list-runs.js";

export interface RunFilter {
  states?: readonly string[];
  /** The whole process id, or what comes behind its last slash. */
  process?: string;
  /** Their last event came since then. */
  since?: Date;
  /** Their last event came before then. */
  before?: Date;
}

export function passes(
  { state, processId = "", lastEventAt = "" }: Pick<ListedRun, "processId" | "lastEventAt"> & { state: string },
  { states, process, since, before }: RunFilter = {},
): boolean {
  const at = Date.parse(lastEventAt);
  return (
    (states === undefined || states.includes(state)) &&
    (process === undefined || processId === process || processId.endsWith(`/${process}`)) &&
    (since === undefined || at >= since.getTime()) &&
    (before === undefined || at < before.getTime())
  );
}
