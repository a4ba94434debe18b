/**
 * Model calls from the rows of transcripts. A call has one row per content block, each with the usage of the whole
 * call, the first of them sometimes with only a part of it; a resumed or forked session has copies of rows of another
 * file. All of them have the id of the call's message.
 */
import { type MeteredRow, type ModelCall, type Tokens, total } from "../../loop/transcript/spend-usage.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { isMadeByHost, messageOf, roleOf, type TranscriptRow } from "./transcript-rows.js";

/** Undefined for a row that reports no call. */
export function meteredRow(row: TranscriptRow): MeteredRow | undefined {
  const [first, ...others] = callsOf(row);
  const { timestamp } = row;
  if (first === undefined) return undefined;
  return { ...(typeof timestamp === "string" ? { at: timestamp } : {}), calls: [first, ...others] };
}

/** Calls of a row: its own, and those that were made on its behalf and are not part of its own numbers. */
function callsOf(row: TranscriptRow): ModelCall[] {
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

function callFrom(id: string, model: string, usage: JsonObject): ModelCall | undefined {
  const tokens = tokensOf(usage);
  return total(tokens) === 0 ? undefined : { id, model, fast: usage["speed"] === "fast", tokens };
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
