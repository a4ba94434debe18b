/**
 * What people have typed that the host keeps for later. Words for the agent are passed on at its next call of a tool;
 * a slash command waits until the agent stops, which in a loop may be never.
 */
import { blocksOf, isSidechain, roleOf, type TranscriptRow } from "./transcript-rows.js";

/**
 * Only what is younger than the last prompt: what was typed before the host was closed is lost, and waits no more.
 * The place of a row does not tell, because hosts write prompts later than what is typed behind them.
 */
export function queuedPrompts(rows: readonly TranscriptRow[]): string[] {
  const since = timeOf(rows.findLast(isPrompt));
  const queue: string[] = [];
  for (const row of rows) {
    const { type, operation, content } = row;
    if (type !== "queue-operation" || timeOf(row) < since) continue;
    if (operation === "enqueue" && typeof content === "string") queue.push(content);
    else if (operation === "dequeue") queue.shift();
    else if (operation === "remove") remove(queue, content);
    else if (operation === "popAll") queue.length = 0;
  }
  return queue;
}

/** Times are written in one form, so that they can be compared as they are. */
function timeOf(row: TranscriptRow | undefined): string {
  const timestamp = row?.["timestamp"];
  return typeof timestamp === "string" ? timestamp : "";
}

function isPrompt(row: TranscriptRow): boolean {
  if (roleOf(row) !== "user" || isSidechain(row) || row["isMeta"] === true) return false;
  return !blocksOf(row).some(({ type }) => type === "tool_result");
}

/** Older hosts do not say what they take out of the queue: it is words for the agent, never a command. */
function remove(queue: string[], content: unknown): void {
  const index = typeof content === "string" ? queue.indexOf(content) : queue.findIndex((text) => !text.startsWith("/"));
  if (index !== -1) queue.splice(index, 1);
}

/** Our own commands, as this host knows them. */
const STOPPING = /^\s*\/babysitter:(?:pause|cancel)\b/u;

/** One of our own commands to stop the loop is among them. */
export function wantsToStop(rows: readonly TranscriptRow[]): boolean {
  return queuedPrompts(rows).some((text) => STOPPING.test(text));
}
