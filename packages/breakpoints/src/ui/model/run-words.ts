/** A run of the board in words: how it stands, what it has cost, how far it is. */
import { shownCount, shownUsd } from "@a5c-ai/babysitter-sdk/view";
import type { Lane, RunRow } from "../../wire/run-wire.js";
import type { Tone } from "./decision-words.js";

export interface RunWords {
  icon: "hand" | "play" | "hourglass" | "part" | "pause" | "none" | "shield" | "check" | "agent" | "cross" | "warning";
  word: string;
  tone: Tone | "live";
  /** What the word means. */
  says: string;
}

export const LANE_WORDS: Readonly<Record<Lane, RunWords & { empty: string }>> = {
  you: {
    icon: "hand",
    word: "Needs you",
    tone: "needs",
    says: "A question is open, or it needs a person for another reason.",
    empty: "Nothing needs you.",
  },
  working: {
    icon: "play",
    word: "Working",
    tone: "live",
    says: "An agent or a driver is working on it.",
    empty: "Nothing is in progress.",
  },
  stalled: {
    icon: "hourglass",
    word: "Stalled",
    tone: "needs",
    says: "It could continue, but nobody drives it.",
    empty: "Nothing has stalled.",
  },
  waiting: {
    icon: "part",
    word: "Waiting",
    tone: "quiet",
    says: "It is waiting for a set time, a retry, or quota.",
    empty: "Nothing is waiting.",
  },
  done: { icon: "check", word: "Done", tone: "quiet", says: "It has ended.", empty: "Nothing has ended yet." },
};

export const OUTCOME_WORDS: Readonly<Record<NonNullable<RunRow["outcome"]>, RunWords>> = {
  verified: { icon: "shield", word: "Verified", tone: "good", says: "The engine checked it itself." },
  proof: { icon: "check", word: "Proof", tone: "good", says: "The process returned; that is the proof." },
  claim: { icon: "agent", word: "Claim", tone: "needs", says: "The agent says so. Nothing has checked it." },
  failed: { icon: "cross", word: "Failed", tone: "bad", says: "It ended with an error. It can be retried." },
  cancelled: { icon: "none", word: "Cancelled", tone: "quiet", says: "It was stopped for good." },
};

/** States that say more than the lane a run stands in. */
const STATE_WORDS: Readonly<Record<string, RunWords>> = {
  blocked: {
    icon: "warning",
    word: "Blocked",
    tone: "bad",
    says: "Its code no longer matches what it has done so far. A person has to decide.",
  },
  paused: { icon: "pause", word: "Paused", tone: "needs", says: "It continues when a person resumes it." },
  created: { icon: "part", word: "Not started", tone: "quiet", says: "It was created but has not started." },
};

const ASKS: RunWords = { icon: "hand", word: "Asks you", tone: "needs", says: "It has a question for you." };

/** How a run stands: icon, word and colour. */
export function runWords({ outcome, questions, state, lane }: RunRow): RunWords {
  if (outcome !== null) return OUTCOME_WORDS[outcome];
  if (questions.length > 0) return ASKS;
  return STATE_WORDS[state] ?? LANE_WORDS[lane];
}

/** All words that a card can have, for the help. */
export const ALL_RUN_WORDS: readonly RunWords[] = [
  ASKS,
  LANE_WORDS.working,
  LANE_WORDS.stalled,
  LANE_WORDS.waiting,
  ...Object.values(STATE_WORDS),
  ...Object.values(OUTCOME_WORDS),
];

export interface SpendWords {
  text: string;
  /** Of the limit, from 0 to 1; undefined where nobody knows. */
  share: number | undefined;
  tone: "quiet" | "needs" | "bad";
}

const NEAR_LIMIT = 0.8;

/** What it has cost against what it may; undefined for runs that cost nothing by their nature. */
export function spendWords({ spend, budgetUsd, agent }: RunRow): SpendWords | undefined {
  if (spend === null && budgetUsd === null && !agent) return undefined;
  const amount = spend?.usd ?? (spend?.knownUsd || undefined);
  if (amount === undefined) {
    const limit = budgetUsd === null ? "" : `, limit ${money(budgetUsd)}`;
    return { text: `Cost unknown${limit}`, share: undefined, tone: "quiet" };
  }
  const least = spend?.usd === null ? "at least " : "";
  if (budgetUsd === null) return { text: `${least}${money(amount)}`, share: undefined, tone: "quiet" };
  const share = budgetUsd === 0 ? 1 : Math.min(1, amount / budgetUsd);
  return { text: `${least}${money(amount)} of ${money(budgetUsd)}`, share, tone: toneOf(share) };
}

function toneOf(share: number): SpendWords["tone"] {
  if (share >= 1) return "bad";
  return share >= NEAR_LIMIT ? "needs" : "quiet";
}

/** "$5", "$1.20"; as everywhere, but whole dollars without cents: limits are mostly that. */
export function money(usd: number): string {
  return Number.isInteger(usd) ? `$${shownCount(usd)}` : shownUsd(usd);
}

export function iterationWords({ iteration, maxIterations }: RunRow): string | undefined {
  if (iteration === null) return undefined;
  return maxIterations === null ? `Iteration ${iteration}` : `Iteration ${iteration} of ${maxIterations}`;
}
