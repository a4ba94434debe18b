/** Reads what the sessions of a loop have spent: their transcripts and those of their subagents. */
import fs from "node:fs";
import { spendOf } from "../loop/transcript/spend.js";
import { emptyUsage, settleUsage, sumUsage, type UsageState, usageOf } from "../loop/transcript/spend-usage.js";
import type { TranscriptFormat } from "../loop/transcript/transcript-format.js";
import type { ModelPrice } from "../model/loop-contract.js";
import type { Spend } from "../model/loop-events.js";
import { openRegularFile, readFully, transcriptPath } from "./transcript-files.js";
import { type ReadFile, readSpendCache, sha256, writeSpendCache } from "./transcript-spend-cache.js";
import { readUsageRows } from "./transcript-usage.js";

/** What has to be known about a host's transcripts. */
interface SpendSource extends Pick<TranscriptFormat, "usageMark" | "usageIn"> {
  /** Transcripts of the subagents of a session: only there are their model calls written down. */
  ofSubagents(transcript: string): string[];
}

export interface SpendRequest {
  source: SpendSource;
  /** Transcripts of the sessions, the oldest first. */
  transcripts: readonly string[];
  /** When the loop began. */
  since: string;
  /** Where to remember how far they were read. */
  cacheFile: string;
  overrides?: Readonly<Record<string, ModelPrice>>;
}

/**
 * Only what is new is read. What was counted stays counted, also when a transcript is removed: it was spent.
 * Undefined when there has never been a transcript.
 */
export function readSpend({ source, transcripts, since, cacheFile, overrides = {} }: SpendRequest): Spend | undefined {
  const sessions = [...new Set(transcripts.filter((given) => given !== "").map(transcriptPath))];
  const subject = { since, transcripts: sessions };
  const cache = readSpendCache(cacheFile, subject);
  const files = new Map(cache?.files);
  const all = sessions.flatMap((session) => [session, ...source.ofSubagents(session)]);
  const changed = all.filter((file) => hasChanged(file, files.get(file)));
  if (changed.length === 0 && cache !== undefined) return spendOf(cache.usage, overrides);

  const remembered = cache?.calls();
  if (remembered === undefined) files.clear();
  const state = remembered ?? emptyUsage(since);
  for (const file of remembered === undefined ? all : changed) {
    const read = readNews(file, files.get(file), { source, state });
    if (read !== undefined) files.set(file, read);
  }
  if (files.size === 0) return undefined;
  settleUsage(state);
  const usage = usageOf(state);
  writeSpendCache(cacheFile, subject, { files, usage, state });
  return spendOf(usage, overrides);
}

function hasChanged(file: string, known: ReadFile | undefined): boolean {
  try {
    const { ino, size, mtimeMs } = fs.statSync(file);
    return ino !== known?.ino || size !== known.size || mtimeMs !== known.mtimeMs;
  } catch {
    return false;
  }
}

/** Enough to tell two transcripts apart: their first row has an id and a time. */
const HEAD_BYTES = 1024;

/** Takes what is new in a file into the state; undefined when the file cannot be read. */
function readNews(
  file: string,
  known: ReadFile | undefined,
  { source, state }: { source: SpendSource; state: UsageState },
): ReadFile | undefined {
  const open = openRegularFile(file);
  if (typeof open === "string") return undefined;
  const { fd, stat } = open;
  try {
    // A file that was replaced is read from its beginning; a call that was met before does not count again.
    const before = known !== undefined && isSameFile(fd, stat, known) ? known : undefined;
    state.reached = before?.reached ?? false;
    const news = { from: before?.offset ?? 0, to: stat.size };
    const offset = readUsageRows(fd, news, source, (rows) => sumUsage(rows, state));
    return {
      ino: stat.ino,
      size: stat.size,
      mtimeMs: stat.mtimeMs,
      offset,
      reached: state.reached,
      head: headOf(fd, Math.min(HEAD_BYTES, stat.size)),
    };
  } catch {
    return undefined;
  } finally {
    fs.closeSync(fd);
  }
}

function isSameFile(fd: number, stat: fs.Stats, { ino, offset, head }: ReadFile): boolean {
  if (stat.ino !== ino || stat.size < offset) return false;
  return headOf(fd, head.bytes).sha256 === head.sha256 && (offset === 0 || byteAt(fd, offset - 1) === "\n");
}

function headOf(fd: number, bytes: number): ReadFile["head"] {
  const buffer = Buffer.alloc(bytes);
  return { bytes, sha256: sha256(buffer.subarray(0, readFully(fd, buffer, 0))) };
}

function byteAt(fd: number, position: number): string {
  const buffer = Buffer.alloc(1);
  return buffer.toString("latin1", 0, readFully(fd, buffer, position));
}
