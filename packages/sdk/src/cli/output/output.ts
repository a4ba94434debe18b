import fs from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { inLine } from "../../model/terminal-text.js";

/**
 * Writes all of a text to a file descriptor, also when it is a pipe that is full for a moment. False when nobody reads
 * there any more.
 */
export function writeFully(fd: number, text: string | Uint8Array): boolean {
  let rest = Buffer.from(text as string);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(fd, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The reader, or the terminal, has gone: nobody is left to tell.
      if (code === "EPIPE" || code === "EIO") return false;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return true;
}

/** For what only helps whoever looks on: a log on a full disk is no reason to stop the work. */
export function writeIfPossible(fd: number, text: string): boolean {
  try {
    return writeFully(fd, text);
  } catch {
    // Told to nobody.
    return true;
  }
}

/** Rows in aligned columns; colours take no room. Whatever a cell holds, it stays within its row. */
export function alignColumns(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(inLine));
  const lengths = rows.map((row) => row.map(shownLength));
  const widths: number[] = [];
  for (const row of lengths)
    for (let column = 0; column < row.length; column += 1)
      widths[column] = Math.max(widths[column] ?? 0, row[column] as number);
  const pad = (cell: string, column: number, length: number): string =>
    cell + " ".repeat((widths[column] as number) - length);
  return rows
    .map((row, index) =>
      row
        .map((cell, column) => pad(cell, column, lengths[index]?.[column] as number))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Characters that take room: colours take none. */
export function shownLength(text: string): number {
  return (text.includes("\u001B") ? stripVTControlCharacters(text) : text).length;
}

/** How long ago, in the unit that people would use. */
export function age(from: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(from)) / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} d`;
}
