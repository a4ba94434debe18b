/** What the rows of a transcript say, for people: no thinking, no images, nothing that the host notes for itself. */
import type { TranscriptEntry } from "../../loop/transcript/transcript-entry.js";
import { defined, isJsonObject, type Json, type JsonObject } from "../../model/json.js";
import { blocksOf, isMadeByHost, roleOf, type TranscriptRow } from "./transcript-rows.js";

/** Longer texts are files that were read or written; people look at those elsewhere. */
const MAX_TEXT = 16 * 1024;

export function entriesOf(row: TranscriptRow): TranscriptEntry[] {
  const role = roleOf(row);
  if (role === undefined || row["isMeta"] === true || isMadeByHost(row)) return [];
  const { timestamp } = row;
  const at = typeof timestamp === "string" ? timestamp : undefined;
  return blocksOf(row).flatMap((block) => {
    const entry = entryOf(block, role === "assistant" ? "agent" : "user");
    return entry === undefined ? [] : [{ ...defined({ at }), ...entry }];
  });
}

function entryOf(block: JsonObject, who: "agent" | "user"): TranscriptEntry | undefined {
  const { type, text, name, input, content, is_error: failed } = block;
  if (type === "text" && typeof text === "string") return text === "" ? undefined : { who, ...shortened(text) };
  if (type === "tool_use" && typeof name === "string")
    return { who, tool: name, ...shortened(JSON.stringify(input ?? {})) };
  if (type !== "tool_result") return undefined;
  return { who: "tool", ...shortened(resultText(content)), ...(failed === true ? { failed } : {}) };
}

function resultText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part) => (isJsonObject(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join("\n");
}

function shortened(text: string): { text: string; cut?: true } {
  return text.length > MAX_TEXT ? { text: text.slice(0, MAX_TEXT), cut: true } : { text };
}
