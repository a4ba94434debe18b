/** Which runs a board shows, in which order, and how many there are. */
import type { Lane } from "../wire/run-wire.js";
import { cursorText } from "./query-parts.js";
import type { RunCursor } from "./run-query.js";

/** A run that matches, with what its place depends on. */
export interface FoundRun {
  id: string;
  lane: Lane;
  /** Since when it stands there, in milliseconds. */
  since: number;
  failed: boolean;
}

const LANES = ["you", "working", "stalled", "waiting", "done"] as const satisfies readonly Lane[];

/** Nobody looks through more cards of a lane; searching and filtering finds the others. */
const MAX_CARDS = 200;
/** What has failed in this time is told first. */
const FRESH_MS = 24 * 60 * 60_000;

export interface Board {
  /** The lanes one after the other. */
  ids: string[];
  next: string | null;
  counts: Record<Lane, number>;
  /** Of those that are done. */
  failed: number;
}

/** The newest of each lane first; of those that are done, what has failed of late comes before. */
export function boardOf(
  found: readonly FoundRun[],
  { after, limit, now }: { after: RunCursor | undefined; limit: number; now: number },
): Board {
  const counts: Record<Lane, number> = { you: 0, working: 0, stalled: 0, waiting: 0, done: 0 };
  for (const { lane } of found) counts[lane] += 1;
  // A run that has failed a day ago while somebody turns pages stays where it was.
  const freshFrom = after?.freshFrom ?? now - FRESH_MS;
  const keyOf = ({ failed, since, id }: FoundRun): Key => [failed && since >= freshFrom ? 0 : 1, -since, id];
  const done = found
    .filter(({ lane }) => lane === "done")
    .map(keyOf)
    .filter((key) => after === undefined || compare(key, after.key) > 0)
    .toSorted(compare);
  const shown = done.slice(0, limit);
  const last = shown.at(-1);
  const others = after === undefined ? LANES.filter((lane) => lane !== "done") : [];
  return {
    ids: [...others.flatMap((lane) => newestOf(found, lane)), ...shown.map(([, , id]) => id)],
    next: last === undefined || done.length <= limit ? null : cursorText([freshFrom, ...last]),
    counts,
    failed: found.filter(({ lane, failed }) => lane === "done" && failed).length,
  };
}

type Key = RunCursor["key"];

function newestOf(found: readonly FoundRun[], lane: Lane): string[] {
  return found
    .filter((run) => run.lane === lane)
    .toSorted((a, b) => b.since - a.since || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_CARDS)
    .map(({ id }) => id);
}

function compare([group, time, id]: Key, [otherGroup, otherTime, otherId]: Key): number {
  return group - otherGroup || time - otherTime || (id < otherId ? -1 : Number(id > otherId));
}
