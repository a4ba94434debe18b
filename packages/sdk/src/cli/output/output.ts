import fs from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Writes all of a text to a file descriptor, also when it is a pipe that is full for a moment. */
export function writeFully(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(fd, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The reader, or the terminal, has gone: nobody is left to tell.
      if (code === "EPIPE" || code === "EIO") return;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** For what only helps whoever looks on: a log on a full disk is no reason to stop the work. */
export function writeIfPossible(fd: number, text: string): void {
  try {
    writeFully(fd, text);
  } catch {
    // Told to nobody.
  }
}

/** Rows in aligned columns; colours take no room. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, shownLength(cell));
  }
  const pad = (cell: string, index: number): string => cell + " ".repeat((widths[index] ?? 0) - shownLength(cell));
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

function shownLength(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** How long ago, in the unit that people would use. */
export function age(from: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(from)) / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} d`;
}
