/** Reads the turn that has just ended from the end of a transcript, which may be very large and a little late. */
import fs from "node:fs";
import type { TranscriptFormat } from "../loop/transcript/transcript-format.js";
import type { LastMessage, Turn, TurnBreak } from "../loop/transcript/turn.js";
import { openRegularFile, readFully, transcriptPath } from "./transcript-files.js";

/** How much is read at first, and at most; a longer turn is answered with its end. */
const FIRST_BYTES = 256 * 1024;
const MAX_BYTES = 8 * 1024 * 1024;
const GROWTH = 4;

/** Pauses between two looks at a file that does not hold the last message yet. */
const MIN_PAUSE_MS = 5;
const MAX_PAUSE_MS = 20;

export interface TranscriptRequest extends LastMessage {
  path: string;
  format: TranscriptFormat;
  /** How long to wait for the last message. */
  deadlineMs: number;
  /**
   * The turn before. Given where it is enough to know that the turn has called a tool, whatever it said at its end:
   * then the last message is not waited for.
   */
  after?: string | undefined;
}

export type TranscriptReading =
  | { missing: true /** Completes the sentence "the transcript …: ". */; why: string }
  | (Turn & {
      missing: false;
      /** Lines that are not rows. */
      skipped: number;
      /** Why the agent's last message cannot be read, where the host does not report it. */
      broken?: string;
      /** It is the turn that was asked for, and not the one before, to which nothing was added yet. */
      current: boolean;
    });

/**
 * Hosts write the transcript while their hooks run: the last message is often not in it yet. So it is
 * waited for, within a limit; what is there then is the answer.
 */
export async function readTurnFromFile({
  path,
  format,
  lastMessage,
  deadlineMs,
  after,
}: TranscriptRequest): Promise<TranscriptReading> {
  const file = path === "" ? "" : transcriptPath(path);
  const end = performance.now() + deadlineMs;
  let size = -1;
  let reading: TranscriptReading = { missing: true, why: "there is no such file" };
  for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const now = sizeOf(file);
    if (now !== size) reading = readTail(file, { format, lastMessage, after });
    size = now;
    const left = end - performance.now();
    if (reading.missing || reading.current || !(left > 0)) return reading;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
  }
}

/**
 * Why the last turn ended without a decision, as far as the end of the transcript shows.
 * @param format undefined for a host whose transcripts nobody can read
 */
export function readTurnBreak(path: string, format: TranscriptFormat | undefined): TurnBreak | undefined {
  if (format === undefined) return undefined;
  const open = openRegularFile(transcriptPath(path));
  if (typeof open === "string") return undefined;
  try {
    return format.breakIn(tailOf(open.fd, open.stat.size, FIRST_BYTES));
  } catch {
    return undefined;
  } finally {
    fs.closeSync(open.fd);
  }
}

function sizeOf(file: string): number {
  try {
    return fs.statSync(file).size;
  } catch {
    return -2;
  }
}

function readTail(
  file: string,
  { format, lastMessage, after }: Pick<TranscriptRequest, "format" | "lastMessage" | "after">,
): TranscriptReading {
  const open = openRegularFile(file);
  if (typeof open === "string") return { missing: true, why: open };
  const { fd, stat } = open;
  try {
    for (let bytes = FIRST_BYTES; ; bytes = Math.min(bytes * GROWTH, MAX_BYTES)) {
      const turn = format.turnIn(tailOf(fd, stat.size, bytes), { lastMessage });
      if (turn.complete || bytes >= stat.size || bytes >= MAX_BYTES)
        return { missing: false, ...turn, current: isThere(turn) || isAfter(turn, after) };
    }
  } catch (error) {
    return { missing: true, why: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})` };
  } finally {
    fs.closeSync(fd);
  }
}

function isThere({ hasLastMessage, broken }: ReturnType<TranscriptFormat["turnIn"]>): boolean {
  return hasLastMessage && broken === undefined;
}

function isAfter({ complete, tools, key }: Turn, after: string | undefined): boolean {
  return after !== undefined && complete && tools > 0 && key !== undefined && key !== after;
}

const NEWLINE = 10;

/** The whole lines among the last bytes. Cut at a newline, no character is cut in two. */
function tailOf(fd: number, size: number, bytes: number): string {
  const start = Math.max(0, size - bytes);
  const buffer = Buffer.allocUnsafe(size - start);
  const tail = buffer.subarray(0, readFully(fd, buffer, start));
  if (start === 0) return tail.toString("utf8");
  const newline = tail.indexOf(NEWLINE);
  return newline === -1 ? "" : tail.toString("utf8", newline + 1);
}
