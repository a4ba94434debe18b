/** What reports count, taken down event by event, so that no report reads a long journal again. */
import { EVENT_RULES, isKnownType } from "./event-rules.js";
import type { JournalEvent } from "./events.js";
import type { Spend, StopHookInvoked } from "./loop-events.js";
import { totalTokens } from "./shown-amounts.js";
import { performerOf } from "./task-kinds.js";

/**
 * What a loop had used at a time: millionths of a dollar, tokens, and whether that is all of it. Without the last one it
 * is; 1: nothing was found of the turn that ended then; 2: not every model has a price.
 */
export type CostSample = [at: number, microUsd: number, tokens: number, missing?: 1 | 2];

/** All times are in milliseconds. */
export interface RunLedger {
  /** The last event that is in. An older version of the engine leaves the ledger behind; then it does not count. */
  seq: number;
  /** When attempts failed. */
  failed: number[];
  /** When turns of the agent ended with an error of its host. */
  turns: number[];
  /** Questions that have no answer, and a pause that no person made: since when each waits for someone. */
  open: Record<string, number>;
  /** When those were open that are no longer. */
  answered: [from: number, to: number][];
  /** Since when the run has failed, or is blocked. */
  red?: Partial<Record<RedKind, number>>;
  /** When it was so before. */
  reds?: [from: number, to: number, kind: RedKind][];
  /** What a loop had used when each of its turns ended, the first one being its start. Older versions kept none. */
  costs?: CostSample[];
  /** Calls that the last of them was counted from. */
  calls?: number;
  /** How many tasks agents were asked for, and how many of them the engine gave to a command. */
  agents?: { asked: number; started: number };
  /** What happened up to here may be missing: a long run has too much of it. */
  from?: number;
}

export type RedKind = "failed" | "blocked";

/** The summary, which every command reads, must stay small. */
const MAX_ENTRIES = 400;

/** A ledger that has seen nothing but the first event. */
export function beginLedger({ seq }: Pick<JournalEvent, "seq">): RunLedger {
  return { seq, failed: [], turns: [], open: {}, answered: [], costs: [] };
}

/** Takes in the next event; does nothing when one is missing in between. */
export function foldLedger(ledger: RunLedger, event: JournalEvent, maxEntries = MAX_ENTRIES): void {
  if (event.seq !== ledger.seq + 1) return;
  ledger.seq = event.seq;
  const at = Date.parse(event.timestamp);
  if (event.type === "EFFECT_REQUESTED" || event.type === "EFFECT_STARTED") countAgents(ledger, event);
  // A time that nobody can read is in no report.
  if (Number.isNaN(at)) return;
  const add = <T extends Entry>(entries: T[], entry: T): void => {
    entries.push(entry);
    if (entries.length > maxEntries) drop(ledger, entries);
  };
  if (isFailedAttempt(event)) add(ledger.failed, at);
  if (event.type === "TURN_FAILED") add(ledger.turns, at);
  foldWaits(ledger, event, at, add);
  foldReds(ledger, event, at, add);
  foldCosts(ledger, event, at, add);
}

type Entry = number | [number, number] | [number, number, RedKind] | CostSample;
type Add = <T extends Entry>(entries: T[], entry: T) => void;

/** Whoever waits for a pause to end waits for a person, as with a question. */
const PAUSE = "pause";

function foldWaits(ledger: RunLedger, event: JournalEvent, at: number, add: Add): void {
  const wait = waitIn(event);
  if (wait === undefined) return;
  const { name, begins } = wait;
  const isOpen = Object.hasOwn(ledger.open, name);
  // Who is asked to wait once more has waited all the time.
  if (begins && !isOpen) ledger.open[name] = at;
  if (!begins && isOpen) {
    add(ledger.answered, [ledger.open[name] as number, at]);
    delete ledger.open[name];
  }
}

/** What a person is waited for, from here on or no longer. */
function waitIn(event: JournalEvent): { name: string; begins: boolean } | undefined {
  if (event.type === "EFFECT_REQUESTED" || event.type === "EFFECT_REOPENED")
    return event.payload.kind === "breakpoint" ? { name: event.effectId, begins: true } : undefined;
  if (event.type === "EFFECT_RESOLVED" || event.type === "EFFECT_RETRIED" || event.type === "EFFECT_DROPPED")
    return { name: event.effectId, begins: false };
  if (event.type === "LOOP_PAUSED") return { name: PAUSE, begins: event.payload.by !== "person" };
  if (event.type === "STOP_HOOK_INVOKED")
    return event.payload.paused === undefined ? undefined : { name: PAUSE, begins: true };
  return event.type === "LOOP_RESUMED" ? { name: PAUSE, begins: false } : undefined;
}

function foldReds(ledger: RunLedger, event: JournalEvent, at: number, add: Add): void {
  if (event.type === "RUN_FAILED") beginRed(ledger, "failed", at);
  else if (event.type === "RUN_BLOCKED") beginRed(ledger, "blocked", at);
  else if (ledger.red !== undefined && isKnownType(event.type) && EVENT_RULES[event.type].side === "process") {
    endRed(ledger, "blocked", at, add);
    if (event.type === "RUN_REOPENED") endRed(ledger, "failed", at, add);
  }
}

function beginRed(ledger: RunLedger, kind: RedKind, at: number): void {
  ledger.red = { [kind]: at, ...ledger.red };
}

function endRed(ledger: RunLedger, kind: RedKind, at: number, add: Add): void {
  const { [kind]: from, ...rest } = ledger.red ?? {};
  if (from === undefined) return;
  ledger.reds ??= [];
  add(ledger.reds, [from, at, kind]);
  if (Object.keys(rest).length > 0) ledger.red = rest;
  else delete ledger.red;
}

function foldCosts(ledger: RunLedger, event: JournalEvent, at: number, add: Add): void {
  const { costs } = ledger;
  if (costs === undefined) return;
  if (event.type === "LOOP_STARTED") {
    // What was spent in the tool that began it is not of this loop.
    add(costs, [at, micro(event.payload.contract.origin?.usd ?? 0), 0]);
    ledger.calls = 0;
  } else if (event.type === "TURN_FAILED") add(costs, nothingNew(costs, at));
  else if (event.type === "STOP_HOOK_INVOKED" && isTurn(event.payload)) {
    const { spend } = event.payload;
    const isMore = spend !== undefined && spend.calls > (ledger.calls ?? 0);
    add(costs, isMore ? costSample(at, spend) : nothingNew(costs, at));
    if (isMore) ledger.calls = spend.calls;
  }
}

/** To be asked to wait for a verification is no turn of its own. */
function isTurn({ reason }: StopHookInvoked): boolean {
  return reason !== "verifying";
}

function costSample(at: number, spend: Spend): CostSample {
  const [microUsd, tokens] = [micro(spend.knownUsd), totalTokens(spend)];
  return spend.usd === null ? [at, microUsd, tokens, 2] : [at, microUsd, tokens];
}

function nothingNew(costs: readonly CostSample[], at: number): CostSample {
  const [, microUsd = 0, tokens = 0] = costs.at(-1) ?? [];
  return [at, microUsd, tokens, 1];
}

function micro(usd: number): number {
  return Math.round(usd * 1e6);
}

function countAgents(
  ledger: RunLedger,
  event: Extract<JournalEvent, { type: "EFFECT_REQUESTED" | "EFFECT_STARTED" }>,
): void {
  const isAsked = event.type === "EFFECT_REQUESTED" && performerOf(event.payload.kind) === "agent";
  const isStarted = event.type === "EFFECT_STARTED" && event.payload.executor === "agent";
  if (!isAsked && !isStarted) return;
  const { asked, started } = ledger.agents ?? { asked: 0, started: 0 };
  ledger.agents = { asked: asked + Number(isAsked), started: started + Number(isStarted) };
}

/** True when the ledger has everything up to this event that this version counts. */
export function isComplete(ledger: RunLedger | undefined, { seq }: { seq: number }): ledger is RunLedger {
  return ledger?.seq === seq && ledger.costs !== undefined;
}

/** True when there is nothing to report. */
export function isEmpty({ failed, turns, open, answered, red, reds = [], from }: RunLedger): boolean {
  if (red !== undefined) return false;
  return [failed, turns, answered, reds, Object.keys(open)].every(({ length }) => length === 0) && from === undefined;
}

/** True when the ledger has everything that happened since then. */
export function covers({ from }: RunLedger, since: Date): boolean {
  return from === undefined || from < since.getTime();
}

function isFailedAttempt(event: JournalEvent): boolean {
  return (
    event.type === "EFFECT_ATTEMPT_FAILED" || (event.type === "EFFECT_RESOLVED" && event.payload.status === "error")
  );
}

function drop(ledger: RunLedger, entries: Entry[]): void {
  const half = entries.length >> 1;
  const isCosts = entries === ledger.costs;
  const lost = entries.slice(0, half).map((entry) => timeOf(entry, isCosts));
  // What was used in a time is counted from the last sample before it: one of those that are dropped stays for that.
  entries.splice(0, isCosts ? half - 1 : half);
  // Clocks go back, so the last of them need not be the latest.
  ledger.from = Math.max(ledger.from ?? 0, ...lost);
}

function timeOf(entry: Entry, isCost: boolean): number {
  if (typeof entry === "number") return entry;
  return isCost ? entry[0] : entry[1];
}
