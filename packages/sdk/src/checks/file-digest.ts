/**
 * Digests of single files, by name below a root. Names are bytes, held as latin1 text: not every name is UTF-8.
 *
 * A digest is used again while the file's stat data are the same. A file that was written shortly before it
 * was read may be written again without a visible difference, so its digest is taken once more.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import { refuseAfter, TookTooLong } from "./work-limit.js";

/** Type, executable bit and content. */
export type FileDigest = string;

/** With the stat data that it was taken at. */
export interface KnownDigest {
  stat: string;
  digest: FileDigest;
}

/** The coarsest clock of a file system in use. */
export const CLOCK_GRAIN_MS = 2000;
const PIECE = 1024 * 1024;
const READ_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

/** Absolute path of a name, byte for byte. */
export function pathOf(root: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]);
}

export function lstatOf(root: string, name: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(pathOf(root, name), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Digests that outlive the call, for those who keep {@link DigestCache.known}. */
export class DigestCache {
  readonly #earlier: ReadonlyMap<string, KnownDigest>;
  /** Files written after this may have been written again unnoticed. */
  readonly #settledBefore: number;
  readonly known = new Map<string, KnownDigest>();

  readonly #deadline: number;

  constructor(earlier: ReadonlyMap<string, KnownDigest>, now: number, deadline = Number.POSITIVE_INFINITY) {
    this.#earlier = earlier;
    this.#deadline = deadline;
    this.#settledBefore = now - CLOCK_GRAIN_MS;
  }

  /** Undefined when there is nothing, or something that has no content, such as a directory or a socket. */
  digest(root: string, name: string): FileDigest | undefined {
    const before = lstatOf(root, name);
    if (before === undefined || !(before.isFile() || before.isSymbolicLink())) return undefined;
    const stat = statText(before);
    const earlier = this.#earlier.get(name);
    if (earlier?.stat === stat) {
      this.known.set(name, earlier);
      return earlier.digest;
    }
    const digest = digestOf(root, name, { stat: before, deadline: this.#deadline });
    const settled = Math.max(before.mtimeMs, before.ctimeMs) < this.#settledBefore;
    const after = lstatOf(root, name);
    if (settled && after !== undefined && statText(after) === stat) this.known.set(name, { stat, digest });
    return digest;
  }
}

function statText({ mode, size, mtimeMs, ctimeMs, ino, dev }: fs.Stats): string {
  return `${mode} ${size} ${mtimeMs} ${ctimeMs} ${ino} ${dev}`;
}

/** Something that cannot be read has its own digest, so that it becomes visible when it can. */
function digestOf(root: string, name: string, { stat, deadline }: { stat: fs.Stats; deadline: number }): FileDigest {
  try {
    if (stat.isSymbolicLink()) {
      const target = fs.readlinkSync(pathOf(root, name), { encoding: "buffer" });
      return `link ${crypto.createHash("sha256").update(target).digest("hex")}`;
    }
    const kind = (stat.mode & 0o100) === 0 ? "file" : "program";
    return `${kind} ${contentDigest(pathOf(root, name), deadline)}`;
  } catch (error) {
    if (error instanceof TookTooLong) throw error;
    return `unreadable ${(error as NodeJS.ErrnoException).code ?? "UNKNOWN"}`;
  }
}

/** Throws when it cannot be read. */
export function contentDigest(path: Buffer | string, deadline = Number.POSITIVE_INFINITY): string {
  const fd = fs.openSync(path, READ_FLAGS);
  try {
    const hash = crypto.createHash("sha256");
    const { size } = fs.fstatSync(fd);
    const piece = Buffer.allocUnsafe(Math.max(1, Math.min(PIECE, size + 1)));
    for (;;) {
      refuseAfter(deadline);
      const count = fs.readSync(fd, piece, 0, piece.length, null);
      if (count === 0) return hash.digest("hex");
      hash.update(piece.subarray(0, count));
    }
  } finally {
    fs.closeSync(fd);
  }
}
