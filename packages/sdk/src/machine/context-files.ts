/**
 * The files that a question is about, read from this machine. The paths come from a process, and whoever wrote
 * the file may not be who asked: nothing outside the run and the project is read, nothing that can block,
 * and nothing whose name says that it holds a secret.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { HASHED_BYTES, isSecretPath, SHOWN_BYTES } from "../model/context-files.js";
import type { ContextFile, ContextFiles, ContextRoots } from "../model/ports.js";
import { readBases } from "./context-bases.js";
import { textOfBytes } from "./text-of-bytes.js";

/** The files that questions show, from this machine's disk. */
export const localContextFiles: ContextFiles = {
  read: async (name, roots) => readContextFile(name, roots),
  bases: readBases,
  sha256: (text) => crypto.createHash("sha256").update(text).digest("hex"),
};

const MISSING = "missing";
const OUTSIDE = "outside the project";
const SECRET = "its name suggests that it contains secrets";
const NO_FILE = "not a regular file";

function readContextFile(name: string, roots: ContextRoots): ContextFile {
  const file = readNamed(name, roots);
  const { runDir, entry } = roots;
  const isProcess = path.resolve(runDir, name) === path.join(runDir, "code", "main.js");
  if (!isProcess || entry === undefined || !("refused" in file) || file.refused !== MISSING) return file;
  const process = readNamed(entry, roots);
  return "refused" in process ? file : process;
}

function readNamed(name: string, roots: ContextRoots): ContextFile {
  if (name === "" || name.includes("\0")) return { refused: MISSING };
  if (isSecretPath(name)) return { refused: SECRET };
  const allowed = [roots.runDir, roots.projectRoot].flatMap((root) => realPathOf(root) ?? []);
  let answer: ContextFile = { refused: MISSING };
  for (const root of [roots.runDir, roots.projectRoot]) {
    const file = path.resolve(root, name);
    const real = realPathOf(file);
    if (real === undefined) {
      // Whether it exists is nobody's business outside the project.
      if (!isInside([roots.runDir, roots.projectRoot, ...allowed], file)) answer = { refused: OUTSIDE };
      continue;
    }
    if (!isInside(allowed, real)) {
      answer = { refused: OUTSIDE };
      continue;
    }
    if (allowed.some((base) => isInside([base], real) && isSecretPath(path.relative(base, real))))
      return { refused: SECRET };
    return readReal(real);
  }
  return answer;
}

function readReal(file: string): ContextFile {
  let fd: number;
  try {
    // Opening a FIFO waits for its writer, a device may do anything: neither is even opened.
    if (!fs.lstatSync(file).isFile()) return { refused: NO_FILE };
    // O_NOFOLLOW and O_NONBLOCK: what has been put in its place since must not lead elsewhere or block.
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch (error) {
    return { refused: reasonOf(error) };
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) return { refused: NO_FILE };
    // A folder on the way may have become a link between the two looks.
    if (realPathOf(file) !== file || fs.lstatSync(file).ino !== stat.ino)
      return { refused: "it changed while being read" };
    if (stat.size > HASHED_BYTES) return { refused: `too large (${stat.size} bytes)`, bytes: stat.size };
    return readOpen(fd);
  } catch (error) {
    return { refused: reasonOf(error) };
  } finally {
    fs.closeSync(fd);
  }
}

const CHUNK_BYTES = 64 * 1024;

function readOpen(fd: number): ContextFile {
  const hash = crypto.createHash("sha256");
  const head: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const count = fs.readSync(fd, chunk, 0, CHUNK_BYTES, null);
    if (count === 0) break;
    const read = chunk.subarray(0, count);
    hash.update(read);
    if (bytes < SHOWN_BYTES) head.push(read);
    bytes += count;
    if (bytes > HASHED_BYTES) return { refused: "it grew while being read", bytes };
  }
  const sha256 = hash.digest("hex");
  const text = textOfBytes(Buffer.concat(head).subarray(0, SHOWN_BYTES), { isCut: bytes > SHOWN_BYTES });
  if (text === undefined) return { refused: "not text", sha256, bytes };
  return { text, sha256, bytes, ...(bytes > SHOWN_BYTES ? { cutAt: Buffer.byteLength(text) } : {}) };
}

function isInside(roots: readonly string[], file: string): boolean {
  return roots.some((root) => {
    const way = path.relative(root, file);
    return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
  });
}

function realPathOf(file: string): string | undefined {
  try {
    return fs.realpathSync.native(file);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return MISSING;
  if (code === "ELOOP") return "it changed while being read";
  return `cannot be read (${code ?? "unknown error"})`;
}
