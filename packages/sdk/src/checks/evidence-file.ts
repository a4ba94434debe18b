/** The files in which checks leave what they have printed. */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { bytesIfRegular } from "../files/read-regular-file.js";

export interface EvidenceFiles {
  /** Everything that was printed, in order. */
  log: string;
  /** For what is printed before the streams are one; removed when it is empty, which it is. */
  other: string;
}

const MAX_NAME = 60;
const MAX_FILES = 1_000_000;

/** The next free file for a criterion, reserved. */
export function newEvidence(evidenceDir: string, criterionId: string): EvidenceFiles {
  const dir = path.join(evidenceDir, folderName(criterionId));
  makeFolders(dir, 0o700, 2);
  const numbers = fs.readdirSync(dir).map((name) => Number(/^(\d+)\.log$/u.exec(name)?.[1] ?? 0));
  for (let number = Math.max(0, ...numbers) + 1; number <= MAX_FILES; number += 1) {
    const log = path.join(dir, `${number}.log`);
    if (reserve(log)) return { log, other: path.join(dir, `${number}.stderr.log`) };
  }
  throw new RangeError(`${dir} has no room for more files.`);
}

/** Two checks at once must not write to one file. Nor must something that was put there be written to. */
function reserve(file: string): boolean {
  try {
    fs.closeSync(fs.openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Names of criteria may hold anything; two of them must not share a folder. */
function folderName(criterionId: string): string {
  const plain = criterionId.replaceAll(/[^\w.-]/gu, "_").slice(0, MAX_NAME);
  if (plain === criterionId && /^[a-z0-9_][a-z0-9_.-]*$/u.test(plain)) return plain;
  const mark = crypto.createHash("sha256").update(criterionId).digest("hex").slice(0, 8);
  return `${plain.replace(/^\.+/u, "_")}-${mark}`;
}

/** The end of a log; undefined when it is gone, or something else is in its place. */
export function readEvidence(file: string, limit: number): { text: string; sha256: string } | undefined {
  // A log is cut at the limit, with a line that says so. What is far larger was written by someone else.
  const bytes = bytesIfRegular(file, limit * 2 + 64 * 1024);
  if (bytes === undefined) return undefined;
  const sha256 = crypto.createHash("sha256").update(bytes).digest("hex");
  return { text: bytes.subarray(-limit).toString("utf8"), sha256 };
}
