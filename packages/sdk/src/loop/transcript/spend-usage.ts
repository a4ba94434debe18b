/**
 * Tokens of model calls, from the rows of transcripts. A call has one row per content block, each with the usage of
 * the whole call, the first of them sometimes with only a part of it; and a resumed or forked session has copies of
 * rows of another file. So calls are known by the id of their message, and each counts once, with its largest row.
 */
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { rateOf } from "./price-table.js";
import { isMadeByHost, messageOf, roleOf, type TranscriptRow } from "./transcript-rows.js";

/** Input, output, cache read, cache written for 5 minutes, cache written for an hour. */
export type Tokens = [input: number, output: number, cacheRead: number, write5m: number, write1h: number];

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
export function sumUsage(rows: Iterable<TranscriptRow>, state: UsageState = emptyUsage()): UsageState {
  for (const row of rows) {
    const calls = callsOf(row);
    const [first] = calls;
    if (first === undefined || !counts(state, row, first.id)) continue;
    for (const call of calls) addCall(state, call);
  }
  return state;
}

/**
 * Rows are appended in time, so that once one of the loop was met, all that follow belong to it, also those that a
 * clock which was set back dates before its start. Only what was there before the loop may be appended again.
 */
function counts(state: UsageState, row: TranscriptRow, id: string): boolean {
  const { timestamp } = row;
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(state.since) || Number.isNaN(at)) return true;
  if (at >= state.since) {
    state.reached = true;
    return true;
  }
  if (state.reached) return !state.before.has(id);
  state.before.add(id);
  return false;
}

interface Call {
  id: string;
  rate: string;
  tokens: Tokens;
}

function addCall(state: UsageState, { id, rate, tokens }: Call): void {
  if (state.settled.has(id)) return;
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

const total = (tokens: Tokens): number => tokens.reduce((sum, count) => sum + count, 0);

/** Calls of a row: its own, and those that were made on its behalf and are not part of its own numbers. */
function callsOf(row: TranscriptRow): Call[] {
  const message = messageOf(row);
  const { usage, model } = message;
  if (roleOf(row) !== "assistant" || isMadeByHost(row) || !isJsonObject(usage)) return [];
  const name = typeof model === "string" && model !== "" ? model : "unknown model";
  const id = idOf(row, message, usage);
  const further = Array.isArray(usage["iterations"]) ? usage["iterations"] : [];
  return [
    callFrom(id, name, usage),
    ...further.map((part, index) => {
      const apart = isJsonObject(part) && (part["type"] === "advisor_message" || part["type"] === "compaction");
      if (!apart) return undefined;
      return callFrom(`${id}/${index}`, typeof part["model"] === "string" ? part["model"] : name, part);
    }),
  ].filter((call) => call !== undefined);
}

/** The same for every row of a call; where the host gives none, what a second reading of the row finds again. */
function idOf(row: TranscriptRow, message: JsonObject, usage: JsonObject): string {
  const ids = [message["id"], row["requestId"], row["uuid"]];
  const given = ids.find((id): id is string => typeof id === "string" && id !== "");
  return given ?? JSON.stringify([row["timestamp"], message["model"], tokensOf(usage)]);
}

function callFrom(id: string, model: string, usage: JsonObject): Call | undefined {
  const tokens = tokensOf(usage);
  if (total(tokens) === 0) return undefined;
  const promptTokens = total(tokens) - tokens[1];
  return { id, rate: rateOf(model, { fast: usage["speed"] === "fast", promptTokens }), tokens };
}

function tokensOf(usage: JsonObject): Tokens {
  const { cache_creation: written } = usage;
  const write1h = isJsonObject(written) ? tokenCount(written["ephemeral_1h_input_tokens"]) : 0;
  const write5m = isJsonObject(written) ? tokenCount(written["ephemeral_5m_input_tokens"]) : 0;
  return [
    tokenCount(usage["input_tokens"]),
    tokenCount(usage["output_tokens"]),
    tokenCount(usage["cache_read_input_tokens"]),
    // What is not said to be for an hour is for five minutes.
    Math.max(write5m, tokenCount(usage["cache_creation_input_tokens"]) - write1h),
    write1h,
  ];
}

function tokenCount(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}

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
