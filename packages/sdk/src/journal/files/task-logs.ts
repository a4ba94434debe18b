/** Reads logs of effects, also while they are being written, and never more of them than was asked for. */
import fs from "node:fs";
import path from "node:path";
import type { LogTail } from "../../model/workspace.js";
import { namesIn } from "./tree-size.js";

export function readTaskLogTail(file: string, maxBytes: number): LogTail | undefined {
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const fd = fs.openSync(file, "r");
  try {
    const { size } = fs.fstatSync(fd);
    const start = Math.max(0, size - maxBytes);
    const buffer = Buffer.alloc(size - start);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read)
      read = fs.readSync(fd, buffer, length, buffer.length - length, start + length);
    const tail = buffer.subarray(0, length);
    return {
      text: tail.toString("utf8", start === 0 ? 0 : firstCharacter(tail)),
      bytes: size,
      truncated: start > 0,
    };
  } finally {
    fs.closeSync(fd);
  }
}

/** Start of the first whole character: a cut may split one. */
function firstCharacter(tail: Buffer): number {
  let start = 0;
  while (start < 3 && ((tail[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}

/** Names and sizes of the logs in an effect's folder; those of earlier attempts have their number in the name. */
export function listTaskLogs(dir: string): { name: string; bytes: number }[] {
  return namesIn(dir)
    .filter((name) => /^std(?:out|err)(?:\.attempt-\d+)?\.log$/.test(name))
    .toSorted()
    .map((name) => ({ name, bytes: fs.statSync(path.join(dir, name), { throwIfNoEntry: false })?.size ?? 0 }));
}
