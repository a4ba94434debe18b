/**
 * How far transcripts have been read, and what was found in them. Two lines: a short head that is all a reader needs
 * when nothing has changed, and the calls themselves. A file that is torn, of another version or about something
 * else is simply not there: all of it can be read again.
 */
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { PRICED_AT } from "../loop/transcript/price-table.js";
import {
  emptyUsage,
  type RateUsage,
  type Tokens,
  type Usage,
  type UsageState,
} from "../loop/transcript/spend-usage.js";
import { openRegularFile, readFully } from "./transcript-files.js";

/** Raised when the shape of the cache, or the way calls are counted, changes. */
const VERSION = 1;

/** What is known of one transcript. */
export interface ReadFile {
  ino: number;
  size: number;
  mtimeMs: number;
  /** Where the next read starts. */
  offset: number;
  /** Whether its rows have come to the beginning of the loop. */
  reached: boolean;
  /** Its first bytes, by number and hash: another beginning is another file. */
  head: { bytes: number; sha256: string };
}

export interface SpendCache {
  files: Map<string, ReadFile>;
  usage: Usage;
  /** The calls, read from the disk only when they are needed; undefined when they turn out to be damaged. */
  calls(): UsageState | undefined;
}

/** What a cache is about; another loop, or another list of sessions that lacks one of these, needs another cache. */
export interface CacheSubject {
  since: string;
  transcripts: readonly string[];
}

type UsageRow = [rate: string, calls: number, ...tokens: Tokens];
type FileRow = [
  path: string,
  ino: number,
  size: number,
  mtimeMs: number,
  offset: number,
  reached: boolean,
  headBytes: number,
  headSha256: string,
];

interface Head extends CacheSubject {
  version: number;
  prices: string;
  files: FileRow[];
  usage: UsageRow[];
  callsSha256: string;
}

interface Calls {
  open: [id: string, rate: string, unseen: number, ...tokens: Tokens][];
  settled: string[];
  settledUsage: UsageRow[];
  before: string[];
}

export function readSpendCache(file: string, subject: CacheSubject): SpendCache | undefined {
  try {
    const [headLine = "", callsLine = ""] = readText(file).split("\n");
    const [seal, headText] = [headLine.slice(0, 64), headLine.slice(65)];
    if (sha256(headText) !== seal) return undefined;
    const head = JSON.parse(headText) as Head;
    if (!isAbout(head, subject)) return undefined;
    return {
      files: new Map(
        head.files.map(([name, ino, size, mtimeMs, offset, reached, bytes, hash]) => [
          name,
          { ino, size, mtimeMs, offset, reached, head: { bytes, sha256: hash } },
        ]),
      ),
      usage: usageFrom(head.usage),
      calls: () => (sha256(callsLine) === head.callsSha256 ? callsFrom(callsLine, subject.since) : undefined),
    };
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  const open = openRegularFile(file);
  if (typeof open === "string") return "";
  try {
    const buffer = Buffer.allocUnsafe(open.stat.size);
    return buffer.toString("utf8", 0, readFully(open.fd, buffer, 0));
  } finally {
    fs.closeSync(open.fd);
  }
}

function isAbout(head: Head, { since, transcripts }: CacheSubject): boolean {
  return (
    head.version === VERSION &&
    head.prices === PRICED_AT &&
    head.since === since &&
    head.transcripts.every((transcript) => transcripts.includes(transcript))
  );
}

function callsFrom(line: string, since: string): UsageState {
  const calls = JSON.parse(line) as Calls;
  return {
    ...emptyUsage(since),
    calls: new Map(calls.open.map(([id, rate, unseen, ...tokens]) => [id, { rate, unseen, tokens }])),
    settled: new Set(calls.settled),
    settledUsage: usageFrom(calls.settledUsage),
    before: new Set(calls.before),
  };
}

function usageFrom(rows: UsageRow[]): Map<string, RateUsage> {
  return new Map(rows.map(([rate, calls, ...tokens]) => [rate, { calls, tokens }]));
}

function rowsFrom(usage: Usage): UsageRow[] {
  return [...usage].map(([rate, { calls, tokens }]) => [rate, calls, ...tokens]);
}

/** Replaces the cache as a whole, so that nobody reads half of one. One that cannot be written costs only time. */
export function writeSpendCache(
  file: string,
  { since, transcripts }: CacheSubject,
  { files, usage, state }: { files: ReadonlyMap<string, ReadFile>; usage: Usage; state: UsageState },
): void {
  const calls: Calls = {
    open: [...state.calls].map(([id, { rate, unseen, tokens }]) => [id, rate, unseen, ...tokens]),
    settled: [...state.settled],
    settledUsage: rowsFrom(state.settledUsage),
    before: [...state.before],
  };
  const callsLine = JSON.stringify(calls);
  const head: Head = {
    version: VERSION,
    prices: PRICED_AT,
    since,
    transcripts,
    files: [...files].map(
      ([
        name,
        {
          ino,
          size,
          mtimeMs,
          offset,
          reached,
          head: { bytes, sha256: hash },
        },
      ]) => [name, ino, size, mtimeMs, offset, reached, bytes, hash],
    ),
    usage: rowsFrom(usage),
    callsSha256: sha256(callsLine),
  };
  const headText = JSON.stringify(head);
  replaceFile(file, `${sha256(headText)} ${headText}\n${callsLine}\n`);
}

function replaceFile(file: string, text: string): void {
  const temp = `${file}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    makeFolders(path.dirname(file), 0o700, 1);
    fs.writeFileSync(temp, text, { flag: "wx", mode: 0o600 });
    fs.renameSync(temp, file);
  } catch {
    discard(temp);
  }
}

function discard(temp: string): void {
  try {
    fs.unlinkSync(temp);
  } catch {
    // It was never made, or cannot be removed now.
  }
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
