/** What is known of two runs as wholes, beside each other. Pure. */
import { type RunSummary, shownDuration, shownUsd, type Timeline } from "@a5c-ai/babysitter-sdk/view";
import type { RunDetail } from "../../wire/run-wire.js";
import { outcomeOf, type Standing, standingNow } from "./run-words.js";

export interface RunFacts {
  detail: RunDetail;
  state: RunSummary | undefined;
  timeline: Timeline;
  events: number;
}

/** Our own words, those of others, or states. */
export type FactValue = string | { said: string } | { states: readonly Standing[] };

export interface Fact {
  name: string;
  left: FactValue;
  right: FactValue;
  isSame: boolean;
}

const NONE = "–";

const FACTS: readonly (readonly [string, (run: RunFacts) => FactValue])[] = [
  ["Process", ({ detail }) => ({ said: detail.process })],
  ["State", ({ detail, state }) => ({ states: statesOf(standingNow(detail, state), outcomeOf(state)) })],
  ["Error", ({ detail }) => (detail.error === null ? NONE : { said: detail.error.message })],
  ["Took", ({ timeline: { from, to } }) => shownDuration(to - from)],
  ["Working", ({ timeline: { split } }) => shownDuration(split.workingMs)],
  ["Waiting on you", ({ timeline: { split } }) => shownDuration(split.waitingOnPersonMs)],
  ["Waiting for time", ({ timeline: { split } }) => shownDuration(split.waitingOnTimeMs)],
  ["Idle", ({ timeline: { split } }) => shownDuration(split.idleMs)],
  ["Cost", costOf],
  ["Events", ({ events }) => events.toLocaleString("en")],
];

export function factsOf(left: RunFacts, right: RunFacts): Fact[] {
  return FACTS.map(([name, valueOf]) => {
    const [ours, theirs] = [valueOf(left), valueOf(right)];
    return { name, left: ours, right: theirs, isSame: JSON.stringify(ours) === JSON.stringify(theirs) };
  });
}

function statesOf(now: Standing, outcome: Standing | undefined): Standing[] {
  return outcome === undefined ? [now] : [now, outcome];
}

function costOf({ detail }: RunFacts): string {
  const spend = detail.loop?.spend ?? null;
  if (spend === null) return NONE;
  return spend.usd === null ? `unknown, at least ${shownUsd(spend.knownUsd)}` : shownUsd(spend.usd);
}
