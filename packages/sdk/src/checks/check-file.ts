/** Checks a criterion that is about a file. */
import fs from "node:fs";
import path from "node:path";
import type { FileCriterion } from "../model/loop-contract.js";
import { refuseAfter, TookTooLong } from "./work-limit.js";

const PIECE = 1024 * 1024;
const READ_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK;

/** Undefined when the file is as it has to be, else why not. */
export function fileProblem(
  root: string,
  { path: name, contains }: FileCriterion,
  deadline: number,
): string | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(path.resolve(root, name), READ_FLAGS);
    if (!fs.fstatSync(fd).isFile()) return `${name} is not a file.`;
    if (contains === undefined || contains === "" || isIn(fd, Buffer.from(contains), deadline)) return undefined;
    return `${name} does not contain ${JSON.stringify(contains)}.`;
  } catch (error) {
    if (error instanceof TookTooLong) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? `${name} does not exist.` : `${name} cannot be read: ${message}`;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** Piece by piece: the file may be larger than memory, and the text may lie across two pieces. */
function isIn(fd: number, wanted: Buffer, deadline: number): boolean {
  const piece = Buffer.allocUnsafe(Math.max(PIECE, wanted.length * 2));
  let kept = 0;
  for (;;) {
    refuseAfter(deadline);
    const count = fs.readSync(fd, piece, kept, piece.length - kept, null);
    if (count === 0) return false;
    const filled = piece.subarray(0, kept + count);
    if (filled.includes(wanted)) return true;
    kept = Math.min(filled.length, wanted.length - 1);
    filled.copy(piece, 0, filled.length - kept);
  }
}
