/** Opens a transcript without trusting what is there. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** The path that a host gives; `~` at its beginning is the home folder. */
export function transcriptPath(given: string): string {
  const inHome = given === "~" || given.startsWith("~/");
  return path.resolve(inHome ? path.join(os.homedir(), given.slice(1)) : given);
}

export interface OpenFile {
  fd: number;
  stat: fs.Stats;
}

/**
 * Opens a regular file for reading, or says why there is none. Opening a pipe would wait for a writer, and opening a
 * device can do anything: both are never opened.
 */
export function openRegularFile(file: string): OpenFile | string {
  let fd: number | undefined;
  try {
    if (!fs.statSync(file).isFile()) return "it is not a file";
    // It may have been replaced by a pipe in between.
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const stat = fs.fstatSync(fd);
    if (stat.isFile()) return { fd, stat };
    fs.closeSync(fd);
    return "it is not a file";
  } catch (error) {
    if (fd !== undefined) fs.closeSync(fd);
    return whyNot(error);
  }
}

function whyNot(error: unknown): string {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  return `it cannot be read (${code})`;
}

/** Reads from a position until the buffer is full or the file ends; answers how much was read. */
export function readFully(fd: number, buffer: Uint8Array, position: number): number {
  let done = 0;
  while (done < buffer.length) {
    const count = fs.readSync(fd, buffer, done, buffer.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
