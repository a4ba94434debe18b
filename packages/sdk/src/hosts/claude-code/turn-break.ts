/** Why a turn ended without a decision: what a host writes to its transcript when it cuts a turn short. */
import type { TurnBreak } from "../../loop/transcript/turn.js";
import { isSidechain, messageOf, roleOf, type TranscriptRow, textsOf } from "./transcript-rows.js";

const INTERRUPTED = "[Request interrupted by user";
const CUT = /\bhook blocked the turn from ending\b.*\boverriding\b/su;

/** Undefined where the rows say nothing about it. */
export function turnBreakOf(rows: readonly TranscriptRow[]): TurnBreak | undefined {
  for (const row of rows.toReversed()) {
    if (isSidechain(row)) continue;
    const found = breakIn(row);
    if (found !== undefined) return found;
    // What the agent has said last is older than every sign of a break.
    if (roleOf(row) === "assistant") return endIn(row);
  }
  return undefined;
}

/** How the API says that a model has said all that it had to say. */
const LAST_WORDS: ReadonlySet<unknown> = new Set(["end_turn", "stop_sequence", "max_tokens"]);

function endIn(row: TranscriptRow): TurnBreak | undefined {
  const { timestamp } = row;
  return LAST_WORDS.has(messageOf(row)["stop_reason"]) && typeof timestamp === "string"
    ? { kind: "ended", at: timestamp }
    : undefined;
}

function breakIn(row: TranscriptRow): TurnBreak | undefined {
  if (row["type"] === "system" && typeof row["content"] === "string" && CUT.test(row["content"]))
    return { kind: "cut" };
  const role = roleOf(row);
  if (role === "user" && textsOf(row).some((text) => text.startsWith(INTERRUPTED))) return { kind: "interrupted" };
  if (role === "assistant" && row["isApiErrorMessage"] === true)
    return { kind: "failed", message: textsOf(row).join("\n") };
  return undefined;
}
