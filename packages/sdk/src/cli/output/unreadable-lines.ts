import { visibleLine } from "../../model/shown-text.js";

const MAX_SHOWN = 5;
const MAX_WHY = 200;

/** Below a list over many runs: those that are not in it, and why. */
export function unreadableLines(runs: readonly { runId: string; why: string }[]): string[] {
  const lines = runs
    .slice(0, MAX_SHOWN)
    .map(
      ({ runId, why }) => `cannot be read: ${runId}: ${visibleLine(why, MAX_WHY)} See: babysitter run:check ${runId}`,
    );
  const more = runs.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more; use --json to see all`] : lines;
}
