/**
 * Rows of a transcript: one JSON document per line. Two formats are known: that of hosts, with one row per content
 * block and the role as its type, and the plain one, whose rows have the type `message` and a role of their own.
 */
import { isJsonObject, type JsonObject } from "../../model/json.js";

export type TranscriptRow = JsonObject;

export interface ParsedRows {
  rows: TranscriptRow[];
  /** Lines that are not rows: garbage, and a last line that is still being written. */
  skipped: number;
  /** What is wrong with the line of the agent's last message, or with the last line when none is a row. */
  broken?: string;
}

export function parseRows(text: string): ParsedRows {
  const rows: TranscriptRow[] = [];
  let skipped = 0;
  let last: string | undefined;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const row = parseRow(line);
    if (row === undefined) {
      skipped += 1;
      if (rows.length === 0 || line.includes('"assistant"')) last = line;
    } else {
      rows.push(row);
      if (rows.length === 1 || roleOf(row) === "assistant") last = undefined;
    }
  }
  return { rows, skipped, ...(last === undefined ? {} : { broken: problemWith(last) }) };
}

function problemWith(line: string): string {
  try {
    JSON.parse(line);
    return "it is not an object";
  } catch (error) {
    return (error as Error).message;
  }
}

export function parseRow(line: string): TranscriptRow | undefined {
  // A failed parse costs a thousand times as much as this.
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    const row: unknown = JSON.parse(line);
    return isJsonObject(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

/** Whose words a row holds; undefined for what the host writes down for itself. */
export function roleOf(row: TranscriptRow): "assistant" | "user" | undefined {
  const { type, role } = row;
  const named = type === "message" ? (role ?? messageOf(row)["role"]) : type;
  return named === "assistant" || named === "user" ? named : undefined;
}

export function messageOf(row: TranscriptRow): JsonObject {
  const { message } = row;
  return isJsonObject(message) ? message : {};
}

/** The content blocks of a row; plain text counts as one of them. */
export function blocksOf(row: TranscriptRow): JsonObject[] {
  const { content } = messageOf(row);
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter((block) => isJsonObject(block)) : [];
}

/** The text blocks among them. */
export function textsOf(row: TranscriptRow): string[] {
  return blocksOf(row).flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
}

/** True for rows of subagents, which have turns of their own. */
export function isSidechain(row: TranscriptRow): boolean {
  return row["isSidechain"] === true;
}

/** True for what looks like an answer of a model and was written by the host: errors of the API and stand-ins. */
export function isMadeByHost(row: TranscriptRow): boolean {
  return row["isApiErrorMessage"] === true || messageOf(row)["model"] === "<synthetic>";
}
