/**
 * Sums of the tokens of model calls. Hosts may write a call down several times, at first only a part of it, and copy
 * what another session has written. So calls are known by their ids, and each counts once, with its largest numbers.
 */
import { rateOf } from "./price-table.js";

/** Input, output, cache read, cache written for 5 minutes, cache written for an hour. */
export type Tokens = [input: number, output: number, cacheRead: number, write5m: number, write1h: number];

/** A call of a model, as one row of a transcript has it. */
export interface ModelCall {
  /** The same in every row of the call. */
  id: string;
  model: string;
  /** In the dearer fast mode of the model. */
  fast: boolean;
  tokens: Tokens;
}

/** A row of a transcript that reports calls. */
export interface MeteredRow {
  at?: string;
  calls: readonly [ModelCall, ...ModelCall[]];
}

/** What was used under one price; see `rateOf`. */
export interface RateUsage {
  calls: number;
  tokens: Tokens;
}

/** By the name of the price. */
export type Usage = ReadonlyMap<string, RateUsage>;

interface CallUsage {
  rate: string;
  tokens: Tokens;
  /** Over how many readings no row of the call was met. */
  unseen: number;
}

export interface UsageState {
  /** Beginning of what counts, in milliseconds; NaN when everything counts. */
  since: number;
  /** Whether the rows have come to that beginning. Every file has to come to it on its own. */
  reached: boolean;
  /** Calls whose rows may still come. */
  calls: Map<string, CallUsage>;
  /** Calls whose rows have all been met, as far as one can tell; only a copy can still come. */
  settled: Set<string>;
  settledUsage: Map<string, RateUsage>;
  /** Calls from before the beginning. */
  before: Set<string>;
}

export function emptyUsage(since?: string): UsageState {
  return {
    since: since === undefined ? Number.NaN : Date.parse(since),
    reached: false,
    calls: new Map(),
    settled: new Set(),
    settledUsage: new Map(),
    before: new Set(),
  };
}

/** Takes more rows into the state, which it changes and returns. */
export function sumUsage(rows: Iterable<MeteredRow>, state: UsageState = emptyUsage()): UsageState {
  for (const row of rows) if (counts(state, row)) for (const call of row.calls) addCall(state, call);
  return state;
}

/**
 * Rows are appended in time, so that once one of the loop was met, all that follow belong to it, also those that a
 * clock which was set back dates before its start. Only what was there before the loop may be appended again.
 */
function counts(state: UsageState, { at: time, calls: [{ id }] }: MeteredRow): boolean {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  if (Number.isNaN(state.since) || Number.isNaN(at)) return true;
  if (at >= state.since) {
    state.reached = true;
    return true;
  }
  if (state.reached) return !state.before.has(id);
  state.before.add(id);
  return false;
}

function addCall(state: UsageState, { id, model, fast, tokens }: ModelCall): void {
  if (state.settled.has(id)) return;
  const rate = rateOf(model, { fast, promptTokens: total(tokens) - tokens[1] });
  const known = state.calls.get(id);
  if (known === undefined) state.calls.set(id, { rate, tokens, unseen: 0 });
  else {
    known.unseen = 0;
    if (isLarger(tokens, known.tokens)) Object.assign(known, { rate, tokens });
  }
}

function isLarger(a: Tokens, b: Tokens): boolean {
  return a[1] === b[1] ? total(a) > total(b) : a[1] > b[1];
}

export const total = (tokens: Tokens): number => tokens.reduce((sum, count) => sum + count, 0);

/** How many readings a call stays open without any further row. */
const OPEN_READINGS = 3;
/** Ids that are remembered. A copy of an older row would count twice: for a budget the better of two errors. */
const REMEMBERED_IDS = 200_000;

/** At the end of a reading: closes calls that had no row in the last ones, so that the state stays small. */
export function settleUsage(state: UsageState, rememberedIds = REMEMBERED_IDS): void {
  for (const [id, call] of state.calls) {
    call.unseen += 1;
    if (call.unseen <= OPEN_READINGS) continue;
    state.calls.delete(id);
    state.settled.add(id);
    addTo(state.settledUsage, call);
  }
  forgetOldest(state.settled, rememberedIds);
  forgetOldest(state.before, rememberedIds);
}

function forgetOldest(ids: Set<string>, kept: number): void {
  for (const id of ids) {
    if (ids.size <= kept) return;
    ids.delete(id);
  }
}

function addTo(usage: Map<string, RateUsage>, { rate, tokens }: { rate: string; tokens: Tokens }): void {
  let sum = usage.get(rate);
  if (sum === undefined) {
    sum = { calls: 0, tokens: [0, 0, 0, 0, 0] };
    usage.set(rate, sum);
  }
  sum.calls += 1;
  for (let kind = 0; kind < tokens.length; kind += 1) sum.tokens[kind as 0] += tokens[kind as 0];
}

/** What was used, by price. */
export function usageOf(state: UsageState): Usage {
  const usage = new Map<string, RateUsage>();
  for (const [rate, { calls, tokens }] of state.settledUsage) usage.set(rate, { calls, tokens: [...tokens] });
  for (const call of state.calls.values()) addTo(usage, call);
  return usage;
}
