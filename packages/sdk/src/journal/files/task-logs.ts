/** Reads logs of effects, also while they are being written, and never more of them than was asked for. */
import fs from "node:fs";
import path from "node:path";
import { readRegularTail } from "../../files/read-regular-file.js";
import type { LogTail } from "../../model/workspace.js";
import { namesIn } from "./tree-size.js";

export function readTaskLogTail(file: string, maxBytes: number): LogTail | undefined {
  const found = readRegularTail(file, maxBytes);
  if (found.kind !== "file") return undefined;
  const { tail, size } = found;
  const truncated = size > maxBytes;
  return { text: tail.toString("utf8", truncated ? firstCharacter(tail) : 0), bytes: size, truncated };
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
    .map((name) => ({ name, bytes: fs.lstatSync(path.join(dir, name), { throwIfNoEntry: false })?.size ?? 0 }));
}
