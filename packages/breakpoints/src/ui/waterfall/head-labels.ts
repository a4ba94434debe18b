/** The words along the top: times, and how long what is shortened was. Pure. */
import { shownDuration } from "@a5c-ai/babysitter-sdk/view";
import { type Placed, placeLabels } from "./place-labels.js";
import type { Gap } from "./quiet-times.js";
import type { Tick } from "./ticks.js";
import type { TimeScale } from "./time-scale.js";

const WORDS: Readonly<Record<Gap["use"], string>> = {
  waitingOnPersonMs: "waiting on you",
  waitingOnTimeMs: "waiting for time",
  idleMs: "idle",
};

function gapWords({ from, to, use }: Gap): string {
  return `${shownDuration(to - from)} ${WORDS[use]}`;
}

/** Of the word "now", which stands left of that moment. */
const NOW_WIDTH = 40;

/** A shortened time that has no words looks like any other, so those come first. */
export function headLabels(
  scale: TimeScale,
  { gaps, ticks, now }: { gaps: readonly Gap[]; ticks: readonly Tick[]; now: number | undefined },
): Placed[] {
  // The end of a run that stands still is often shortened: its words stand left of "now".
  const end = now === undefined ? scale.width : Math.min(scale.width, scale.x(now) - NOW_WIDTH);
  const shortened = gaps
    .map((gap) => ({ gap, from: Math.max(0, scale.x(gap.from)), to: Math.min(scale.width, scale.x(gap.to)) }))
    .filter(({ from, to }) => to > from)
    .map(({ gap, from, to }) => ({
      key: `gap ${gap.from}`,
      x: Math.min((from + to) / 2, end),
      texts: [gapWords(gap), shownDuration(gap.to - gap.from)],
      tone: gap.use === "waitingOnPersonMs" ? "needs" : "quiet",
    }));
  const taken = now === undefined ? [] : [{ left: scale.x(now) - NOW_WIDTH, width: NOW_WIDTH }];
  const first = placeLabels(shortened, end);
  const times = ticks.map(({ at, x, text }) => ({ key: `${at}`, x, texts: [text] }));
  return [...first, ...placeLabels(times, scale.width, [...taken, ...first])];
}
