/**
 * Finds the answer in what a command line agent has printed: JSON among prose, logs and colours.
 *
 * All of it takes time in proportion to the text, whatever the text is.
 */
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";
import { lastContainer, type Parsed, parseWhole, type Span } from "../model/json-scan.js";

export type FoundAnswer =
  /** Values that may be meant, the likeliest first. */
  | { kind: "json"; candidates: [Json, ...Json[]] }
  | { kind: "text"; text: string }
  /** The agent itself says that it has failed. */
  | { kind: "failure"; message: string }
  | { kind: "nothing" };

/**
 * With `expectJson`, JSON counts wherever it is. Without, the text may be the answer, so that JSON counts
 * only on lines of its own: `[1]` in the middle of a sentence is a footnote.
 */
export function findAnswer(printed: string, expectJson: boolean): FoundAnswer {
  const text = withoutControlCodes(printed).trim();
  if (text === "") return { kind: "nothing" };
  const whole = parseWhole(text);
  const envelope = envelopeIn(whole) ?? envelopeIn(parseWhole(text.slice(text.lastIndexOf("\n") + 1)));
  if (envelope !== undefined) return openEnvelope(envelope, expectJson);
  return whole === undefined ? findAmongProse(text, expectJson) : { kind: "json", candidates: [whole.value] };
}

function findAmongProse(text: string, expectJson: boolean): FoundAnswer {
  const fenced = lastFencedJson(text);
  const span = lastContainer(text, (found) => expectJson || standsAlone(text, found));
  const bare = span && parseWhole(text.slice(span.start, span.end));
  const envelope = envelopeIn(bare);
  if (envelope !== undefined) return openEnvelope(envelope, expectJson);
  const [first, ...others] = [fenced, bare].filter((found) => found !== undefined).map(({ value }) => value);
  return first === undefined ? { kind: "text", text } : { kind: "json", candidates: [first, ...others] };
}

/** What a command line agent prints around its answer when it is asked for JSON: as a whole, or as the last line. */
function envelopeIn(parsed: Parsed | undefined): JsonObject | undefined {
  const value = Array.isArray(parsed?.value) ? parsed.value.at(-1) : parsed?.value;
  if (!isJsonObject(value) || value["type"] !== "result") return undefined;
  return typeof value["result"] === "string" || typeof value["is_error"] === "boolean" ? value : undefined;
}

function openEnvelope(envelope: JsonObject, expectJson: boolean): FoundAnswer {
  const { result, is_error: isError, subtype, structured_output: structured } = envelope;
  const text = typeof result === "string" ? result.trim() : "";
  const failed = isError === true || (typeof subtype === "string" && subtype.startsWith("error"));
  const reason = typeof subtype === "string" ? subtype : "no reason was given";
  if (failed) return { kind: "failure", message: text || reason };
  if (structured !== undefined && structured !== null) return { kind: "json", candidates: [structured] };
  if (text === "") return { kind: "nothing" };
  const whole = parseWhole(text);
  return whole === undefined ? findAmongProse(text, expectJson) : { kind: "json", candidates: [whole.value] };
}

/** The last block between lines of ```json and ``` that holds JSON. */
function lastFencedJson(text: string): Parsed | undefined {
  const blocks: string[] = [];
  let from: number | undefined;
  for (const { 0: line, index, groups } of text.matchAll(/^[ \t]*(?:```+|~~~+)[ \t]*(?<language>[^\s`]*).*$/gmu)) {
    const language = groups?.["language"]?.toLowerCase();
    if (from !== undefined && language === "") blocks.push(text.slice(from, index));
    from = language === "json" ? index + line.length : undefined;
  }
  return blocks.reduceRight<Parsed | undefined>((found, block) => found ?? parseWhole(block), undefined);
}

/** Looks at white space only: a line may be as long as the text. */
function standsAlone(text: string, { start, end }: Span): boolean {
  let before = start - 1;
  while (text[before] === " " || text[before] === "\t") before -= 1;
  let behind = end;
  while (text[behind] === " " || text[behind] === "\t" || text[behind] === "\r") behind += 1;
  const after = text[behind];
  return (before < 0 || text[before] === "\n") && (after === undefined || after === "\n");
}

const ESCAPE = "\u001B";
const BELL = "\u0007";

/** Colours, cursor movements, window titles and links taken out, as terminals understand them. */
function withoutControlCodes(text: string): string {
  const [first = "", ...rest] = text.replace(/^\uFEFF/u, "").split(ESCAPE);
  return rest.length === 0 ? first : first + rest.map(behindSequence).join("");
}

/** What is left of a text that followed an escape. */
function behindSequence(text: string): string {
  if (!text.startsWith("]")) return text.replace(/^(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])/u, "");
  // Ends with a bell, or with the next escape. One that never ends must not take the lines below it along.
  const bell = text.indexOf(BELL) + 1 || text.length;
  const line = text.indexOf("\n");
  return text.slice(line < 0 ? bell : Math.min(bell, line));
}
