/** Where the time of a run went, in words and parts of a hundred. Pure. */
import type { TimeSplit } from "@a5c-ai/babysitter-sdk/view";

export interface SplitPart {
  use: keyof TimeSplit;
  word: string;
  ms: number;
  /** "12 %", or "<1 %" for what is there but hardly. */
  percent: string;
}

const WORDS: readonly (readonly [keyof TimeSplit, string])[] = [
  ["workingMs", "Working"],
  ["waitingOnPersonMs", "Waiting on you"],
  ["waitingOnTimeMs", "Waiting for time"],
  ["idleMs", "Idle"],
];

/** Those that took any time. */
export function splitParts(split: TimeSplit): SplitPart[] {
  const whole = WORDS.reduce((sum, [use]) => sum + split[use], 0);
  return WORDS.filter(([use]) => split[use] > 0).map(([use, word]) => ({
    use,
    word,
    ms: split[use],
    percent: percentOf(split[use] / whole),
  }));
}

/** Never all while there is something else, and never nothing. */
function percentOf(part: number): string {
  if (part === 1) return "100 %";
  if (part < 0.01) return "<1 %";
  return `${Math.min(99, Math.round(part * 100))} %`;
}
