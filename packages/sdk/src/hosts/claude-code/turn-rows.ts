/** What the agent said and did in the turn that has just ended, from the rows of its transcript, and what was denied to it. */
import type { LastMessage, Turn } from "../../loop/transcript/turn.js";
import { defined, isJsonObject, type JsonObject } from "../../model/json.js";
import { wantsToStop } from "./queued-prompts.js";
import {
  blocksOf,
  isMadeByHost,
  isSidechain,
  messageOf,
  roleOf,
  type TranscriptRow,
  textsOf,
} from "./transcript-rows.js";

export function readTurn(rows: readonly TranscriptRow[], { lastMessage }: LastMessage = {}): Turn {
  const opening = rows.findLastIndex(opensTurn);
  const turn = rows.slice(opening + 1).filter((row) => !isSidechain(row));
  const said = turn.filter(isSaid);
  const blocks = said.flatMap(textsOf);
  const lastSaid = turn.slice(turn.findLastIndex(isOfTool) + 1).filter(isSaid);
  const lastWords = lastSaid.flatMap(textsOf);
  const { uuid } = rows[opening] ?? {};
  return {
    blocks,
    lastWords,
    tools: said.reduce((sum, row) => sum + toolCallsIn(row), 0),
    denied: deniedIn(turn),
    ...defined({ lastText: blocks.at(-1), key: typeof uuid === "string" && uuid !== "" ? uuid : undefined }),
    complete: opening !== -1,
    commandWaiting: wantsToStop(rows),
    hasLastMessage: lastMessage === undefined || isAmong(lastMessage, lastWords, lastSaid),
  };
}

/** In the agent's own words. */
const isSaid = (row: TranscriptRow): boolean => roleOf(row) === "assistant" && !isMadeByHost(row);

/** A tool call or its result, or what was said together with a call that is not written down yet. */
function isOfTool(row: TranscriptRow): boolean {
  if (roleOf(row) === undefined) return false;
  return messageOf(row)["stop_reason"] === "tool_use" || blocksOf(row).some(isTool);
}

/** Some tools are run by the model's own server, and have names of their own. */
const isTool = ({ type }: JsonObject): boolean => typeof type === "string" && /tool_(?:use|result)$/u.test(type);

/** A host may report the last block, or all blocks of the last message in one. */
function isAmong(message: string, blocks: readonly string[], said: readonly TranscriptRow[]): boolean {
  const wanted = message.trim();
  if (wanted === "" || blocks.some((block) => block.trim() === wanted)) return true;
  const id = said.length === 0 ? undefined : messageOf(said.at(-1) as TranscriptRow)["id"];
  if (typeof id !== "string") return false;
  const whole = said.filter((row) => messageOf(row)["id"] === id).flatMap(textsOf);
  return whole.join("\n").trim() === wanted || whole.join("").trim() === wanted;
}

/** A prompt, or what a Stop hook told the agent: as feedback in the name of the user, or as an attachment. */
function opensTurn(row: TranscriptRow): boolean {
  if (isSidechain(row)) return false;
  if (row["type"] === "attachment") return isAttachmentOfStopHook(row["attachment"]);
  if (roleOf(row) !== "user") return false;
  // A summary stands for what was said before it; the turn in which the host compacted continues after it.
  if (row["isCompactSummary"] === true) return false;
  if (row["isMeta"] === true) return textsOf(row).some((text) => text.startsWith("Stop hook feedback"));
  return !blocksOf(row).some(({ type }) => type === "tool_result");
}

const TOLD_BY_HOOK = ["hook_additional_context", "hook_blocking_error"];

/** Other hooks add context too, in the middle of a turn; they are told apart by the name of their event. */
function isAttachmentOfStopHook(attachment: unknown): boolean {
  if (!isJsonObject(attachment)) return false;
  const { type, hookEvent, hookName } = attachment;
  return TOLD_BY_HOOK.includes(type as string) && (hookEvent ?? hookName ?? "Stop") === "Stop";
}

function toolCallsIn(row: TranscriptRow): number {
  return blocksOf(row).filter(({ type }) => type === "tool_use").length;
}

/**
 * The beginnings of what the host tells the agent when its permissions do not allow a call. Matched only at the
 * beginning of an error: the output of a program may say anything, and begins with its exit code.
 */
const DENIALS = [
  /^Permission to use \S.* has been denied/su,
  /^Permission for this action was denied\b/u,
  /^Permission for this action has been denied\b/u,
  /^Claude requested permissions to .+, but you haven't granted it yet/su,
  /^This command requires approval\b/u,
  /^\S+ in '.*' (was blocked\. For security, Claude Code may only|needs approval\.) /su,
];

/** Written as in the rules of the host's settings, so that a person can allow them there. */
function deniedIn(turn: readonly TranscriptRow[]): string[] {
  const calls = new Map(turn.flatMap(blocksOf).map((block) => [block["id"], block]));
  return turn.flatMap(denialsIn).map(({ tool_use_id: id }) => {
    const { name, input } = calls.get(id) ?? {};
    if (typeof name !== "string") return "a tool";
    const { command, file_path: file, url } = isJsonObject(input) ? input : {};
    const about = [command, file, url].find((value) => typeof value === "string");
    return about === undefined ? name : `${name}(${about})`;
  });
}

function denialsIn(row: TranscriptRow): JsonObject[] {
  if (roleOf(row) !== "user") return [];
  const results = blocksOf(row).filter(({ type, is_error: failed }) => type === "tool_result" && failed === true);
  const { toolDenialKind: kind } = row;
  if (typeof kind === "string" && (kind !== "user-rejected" || isDecidedByHost(row))) return results;
  return results.filter((result) => DENIALS.some((pattern) => pattern.test(resultText(result))));
}

/**
 * A person who says no is there to be asked, and says what to do instead. Without one the host rejects in the name of
 * the user; where it says who has decided, that tells the two apart, elsewhere the words do.
 */
function isDecidedByHost({ permissionDecision: decision }: TranscriptRow): boolean {
  return isJsonObject(decision) && decision["source"] === "config";
}

function resultText({ content }: JsonObject): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const [first] = content;
  return isJsonObject(first) && typeof first["text"] === "string" ? first["text"] : "";
}
