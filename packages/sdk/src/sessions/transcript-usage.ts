/** Reads what has been appended to a transcript, as far as it is about model calls. */
import type { MeteredRow } from "../loop/transcript/spend-usage.js";
import type { TranscriptFormat } from "../loop/transcript/transcript-format.js";
import { readFully } from "./transcript-files.js";

const CHUNK_BYTES = 4 * 1024 * 1024;
/** Rows of calls are small; a line beyond this is something else, and is not kept in memory. */
const MAX_LINE = 16 * 1024 * 1024;
const NEWLINE = 10;

/**
 * Hands over rows with usage from a position on and answers where the next reading has to begin: after the last
 * newline, because a last line without one is still being written.
 */
export function readUsageRows(
  fd: number,
  { from, to }: { from: number; to: number },
  format: Pick<TranscriptFormat, "usageMark" | "usageIn">,
  take: (rows: MeteredRow[]) => void,
): number {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, to - from)));
  let rest: Buffer = Buffer.alloc(0);
  let next = from;
  for (let position = from; position < to; ) {
    const count = readFully(fd, chunk.subarray(0, Math.min(chunk.length, to - position)), position);
    if (count === 0) break;
    position += count;
    const data = Buffer.concat([rest, chunk.subarray(0, count)]);
    const end = data.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      take(rowsIn(data.subarray(0, end), format));
      next = position - (data.length - end);
    }
    rest = data.subarray(end);
    // What follows of such a line is no row by itself.
    if (rest.length > MAX_LINE) rest = Buffer.alloc(0);
  }
  return next;
}

function rowsIn(lines: Buffer, { usageMark, usageIn }: Pick<TranscriptFormat, "usageMark" | "usageIn">): MeteredRow[] {
  const mark = Buffer.from(usageMark);
  const rows: MeteredRow[] = [];
  for (let found = lines.indexOf(mark); found !== -1; ) {
    const start = lines.lastIndexOf(NEWLINE, found) + 1;
    const end = lines.indexOf(NEWLINE, found);
    const row = usageIn(lines.toString("utf8", start, end));
    if (row !== undefined) rows.push(row);
    found = lines.indexOf(mark, end);
  }
  return rows;
}
