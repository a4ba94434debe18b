/** Small files of one person: read with care, replaced as a whole, moved aside and never deleted. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { readRegularFile } from "../files/read-regular-file.js";
import { refusalOf } from "../model/errno.js";
import type { ErrorCode } from "../model/error-codes.js";
import { BabysitterError } from "../model/errors.js";

export type FileText = { kind: "none" } | { kind: "text"; text: string } | { kind: "unfit"; problem: string };

const UNREACHABLE: ErrorCode = "SESSION_UNREACHABLE";

/**
 * The text of a regular file. Whatever else has its name (a pipe nobody writes to, a link to somewhere else) is
 * not even waited for.
 */
export function readPrivateFile(file: string, largest: number): FileText {
  const found = withRefusals(`Cannot read ${file}`, file, () => readRegularFile(file, largest));
  return found.kind === "file" ? decoded(found.bytes) : found;
}

/** Whoever reads at the same time sees the old text or the new one; when it fails the old one stays. */
export function replacePrivateFile(file: string, text: string): void {
  withRefusals(`Cannot write ${file}`, file, () => {
    const temporary = newBeside(file, text);
    try {
      fs.renameSync(temporary, file);
    } catch (error) {
      discard(temporary);
      throw error;
    }
  });
}

/** Fails just as writing the file would, and leaves nothing behind. */
export function tryPrivateFile(file: string): void {
  withRefusals(`Cannot write ${file}`, file, () => discard(newBeside(file, "")));
}

function newBeside(file: string, text: string): string {
  makeFolders(path.dirname(file), 0o700);
  const temporary = `${file}.tmp.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    fs.writeFileSync(temporary, text, { mode: 0o600, flag: "wx", flush: true });
    return temporary;
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

/**
 * Moves a file into a folder beside it, under a name with the time that nothing else has; undefined when it is
 * not there, as when someone else has just moved it.
 */
export function moveAside(file: string, folder: string, now: Date): string | undefined {
  return withRefusals(`Cannot move ${file} aside`, file, () => {
    const found = fs.lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const dir = path.join(path.dirname(file), folder);
    makeFolders(dir, 0o700);
    const target = claimName(dir, path.parse(file), { time: now, isFolder: found.isDirectory() });
    try {
      fs.renameSync(file, target);
      return target;
    } catch (error) {
      discard(target);
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  });
}

/** Takes a free name by an empty file, which the rename then replaces: two who move never get the same one. */
function claimName(dir: string, { name, ext }: path.ParsedPath, its: { time: Date; isFolder: boolean }): string {
  const time = its.time.toISOString().replaceAll(/[-:.]/g, "");
  for (let n = 1; ; n += 1) {
    const target = path.join(dir, `${name}.${time}${n === 1 ? "" : `.${n}`}${ext}`);
    try {
      if (its.isFolder) fs.mkdirSync(target, { mode: 0o700 });
      else fs.closeSync(fs.openSync(target, "wx", 0o600));
      return target;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function decoded(bytes: Uint8Array): FileText {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: "unfit", problem: "it is not UTF-8 text" };
  }
}

/** Removes what this process has just made and nobody has used. */
export function discard(made: string): void {
  try {
    if (fs.lstatSync(made).isDirectory()) fs.rmdirSync(made);
    else fs.unlinkSync(made);
  } catch {
    // It was never created, or the disk is full: a small file remains that nobody reads.
  }
}

function withRefusals<T>(what: string, file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw refusal(error, what, file);
  }
}

function refusal(error: unknown, what: string, file: string): unknown {
  const refused = refusalOf(error);
  if (refused === undefined) return error;
  const { code, words: why } = refused;
  const obstacle = obstacleTo(path.dirname(file));
  return new BabysitterError(
    UNREACHABLE,
    `${what}: ${obstacle === undefined ? why : `${obstacle} is not a folder`} (${code}).`,
    {
      hint:
        obstacle === undefined
          ? "The old content is unchanged. Free some space or grant access, or set BABYSITTER_HOME to another folder."
          : "Move it out of the way, or set BABYSITTER_HOME to another folder.",
      details: { code },
      cause: error,
    },
  );
}

/** What stands where one of the folders should be. */
function obstacleTo(folder: string): string | undefined {
  try {
    return fs.statSync(folder).isDirectory() ? undefined : folder;
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? undefined : obstacleTo(parent);
  }
}
