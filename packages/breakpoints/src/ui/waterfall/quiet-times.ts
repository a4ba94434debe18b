/** Times in which nobody worked, and which of them are shortened. Pure. */
import { type Timeline, type TimeUse, timeUses } from "@a5c-ai/babysitter-sdk/view";

export interface Gap {
  from: number;
  to: number;
  use: Exclude<TimeUse["use"], "workingMs">;
}

/** Of the time that is left to show, without the longer ones. */
const LEAST_SHARE = 0.1;
/** Shorter ones are never worth a break. Where a run waits for something, as much is left to show: it has a bar. */
const LEAST_MS = 1_000;

/** Every stretch in which nobody worked and nothing happened. */
export function quietTimes({ spans, marks, from, to }: Timeline): Gap[] {
  const cuts = [...spans.flatMap((span) => [span.from, span.to ?? to]), ...marks.map(({ at }) => at)].toSorted(
    (a, b) => a - b,
  );
  const quiet: Gap[] = [];
  let cut = 0;
  for (const use of timeUses(spans, { from, to })) {
    let begin = use.from;
    for (; (cuts[cut] ?? Number.POSITIVE_INFINITY) <= use.to; cut += 1) {
      const at = cuts[cut] as number;
      if (use.use !== "workingMs" && at > begin) quiet.push({ from: begin, to: at, use: use.use });
      begin = Math.max(begin, at);
    }
    if (use.use !== "workingMs" && use.to > begin) quiet.push({ from: begin, to: use.to, use: use.use });
  }
  return quiet;
}

/** The longest first, as long as each is long beside all that is left: then a night does not hide an hour. */
export function longGaps(quiet: readonly Gap[], wholeMs: number): Gap[] {
  const chosen: Gap[] = [];
  let left = wholeMs;
  for (const gap of quiet.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    const length = gap.to - gap.from;
    const least = gap.use === "idleMs" ? 1 : LEAST_MS;
    if (length < LEAST_MS || length < left * LEAST_SHARE || left - length < least) break;
    chosen.push(gap);
    left -= length;
  }
  return chosen.toSorted((a, b) => a.from - b.from);
}
