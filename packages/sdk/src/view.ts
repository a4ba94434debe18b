/**
 * For pages that show a run: from its events alone, in a browser as well as here.
 *
 *   const { spans, split } = timelineOf(events, new Date());
 *   const { pending } = stateAfter(events, 42);
 */
export type { JournalEvent } from "./model/events.js";
export { pauseReason } from "./model/pause-words.js";
export { type RunStatus, type RunSummary, statusOf } from "./model/run-state.js";
export { shownCount, shownDuration, shownUsd, totalTokens } from "./model/shown-amounts.js";
export { stateAfter, stateOn } from "./model/state-after.js";
export { type TimeSplit, type TimeUse, timeUses } from "./timeline/time-split.js";
export {
  type Timeline,
  type TimelineAttempt,
  type TimelineMark,
  type TimelineSpan,
  timelineOf,
} from "./timeline/timeline.js";
