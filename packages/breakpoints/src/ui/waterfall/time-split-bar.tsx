/** Where the time of a run went. */
import type { Timeline } from "@a5c-ai/babysitter-sdk/view";

export function TimeSplitBar({ split }: { split: Timeline["split"] }) {
  return <p class="quiet">{split.workingMs}</p>;
}
