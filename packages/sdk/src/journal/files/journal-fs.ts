import fs from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../../files/make-folders.js";
import { type RegularFile, readRegularText } from "../../files/read-regular-file.js";

/**
 * The file-system calls the journal is built from, one by one, so that tests can end the world
 * between any two of them.
 */
export interface JournalFs {
  openSync(path: string, flags: string, mode?: number): number;
  writeSync(fd: number, data: Uint8Array | string): number;
  fsyncSync(fd: number): void;
  closeSync(fd: number): void;
  linkSync(existing: string, path: string): void;
  unlinkSync(path: string): void;
  renameSync(from: string, to: string): void;
  mkdirSync(path: string, options: { recursive: boolean; mode: number }): void;
  /** The text of a regular file that has at most so many bytes. */
  readText(path: string, largest: number): RegularFile<{ text: string }>;
  readdirSync(path: string): string[];
  existsSync(path: string): boolean;
  /** What has this name; a link is a link, wherever it leads. Undefined when nothing has it. */
  kindOf(path: string): PathKind | undefined;
  /** Size of a regular file; undefined when there is none. */
  sizeOf(path: string): number | undefined;
  /** Another one as soon as the regular file is written to or replaced; undefined when there is none. */
  stampOf(path: string): string | undefined;
  /** What differs as soon as something in a file or directory was changed, or it was replaced; undefined without one. */
  changeOf(path: string): Change | undefined;
  rmSync(path: string, options: { recursive: boolean; force: boolean }): void;
}

type PathKind = "file" | "folder" | "link" | "other";

/** Nobody can set the time of a change. */
export interface Change {
  ino: number;
  ctimeMs: number;
}

/** Written without waiting for whoever reads a pipe, and not through a link. */
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
const REPLACE = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK;

/** The real file system. */
export const nodeFs: JournalFs = {
  openSync: (path, flags, mode) => fs.openSync(path, flags === "w" ? REPLACE : flags, mode),
  writeSync: (fd, data) => (typeof data === "string" ? fs.writeSync(fd, data) : fs.writeSync(fd, data)),
  fsyncSync: fs.fsyncSync,
  closeSync: fs.closeSync,
  linkSync: fs.linkSync,
  unlinkSync: fs.unlinkSync,
  renameSync: fs.renameSync,
  mkdirSync: (path, { recursive, mode }) => {
    if (recursive) makeFolders(path, mode);
    else fs.mkdirSync(path, { mode });
  },
  readText: readRegularText,
  readdirSync: (path) => fs.readdirSync(path),
  existsSync: fs.existsSync,
  kindOf: (path) => {
    const stat = entryAt(path);
    if (stat === undefined) return undefined;
    if (stat.isFile()) return "file";
    return stat.isDirectory() ? "folder" : stat.isSymbolicLink() ? "link" : "other";
  },
  sizeOf: (path) => {
    const stat = entryAt(path);
    return stat?.isFile() ? Number(stat.size) : undefined;
  },
  stampOf: (path) => {
    const stat = entryAt(path);
    return stat?.isFile() ? `${stat.ino}-${stat.size}-${stat.mtimeNs}-${stat.ctimeNs}` : undefined;
  },
  changeOf: (path) => {
    try {
      return fs.statSync(path, { throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  },
  rmSync: (path, options) => fs.rmSync(path, options),
};

/** Below a file, or behind links that lead in a circle, there is nothing. */
function entryAt(path: string): fs.BigIntStats | undefined {
  try {
    return fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (["ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** More than any event, cache or value that we write; a longer text would not fit into a string. */
const LARGEST_FILE = 512 * 1024 * 1024;

/** Whether an acknowledged write must survive a power cut, or only the end of this process. */
export type Durability = "full" | "relaxed";

/** Private to the user: journals hold prompts, code and results. */
const FILE_MODE = 0o600;
export const DIR_MODE = 0o700;

/** Writes that know about durability; the only place that calls fsync. */
export class DurableFiles {
  readonly fs: JournalFs;
  readonly #sync: boolean;

  constructor(files: JournalFs, durability: Durability) {
    this.fs = files;
    this.#sync = durability === "full";
  }

  /** The text of a file; undefined when there is none, or something else in its place. */
  textOf(path: string, largest = LARGEST_FILE): string | undefined {
    const found = this.fs.readText(path, largest);
    return found.kind === "file" ? found.text : undefined;
  }

  /** The same for a file that must not be replaced by something else. */
  soundTextOf(path: string, damaged: (problem: string) => Error): string | undefined {
    const found = this.fs.readText(path, LARGEST_FILE);
    if (found.kind === "unfit") throw damaged(found.problem);
    return found.kind === "file" ? found.text : undefined;
  }

  /** Writes a file; `flags` as for open(2). On return its content is durable, its name is not. */
  write(path: string, data: Uint8Array | string, flags: "w" | "wx" = "w"): void {
    const fd = this.fs.openSync(path, flags, FILE_MODE);
    try {
      this.#writeAll(fd, data);
      if (this.#sync) this.fs.fsyncSync(fd);
    } finally {
      this.fs.closeSync(fd);
    }
  }

  /** Writes a file that can be made again: no durability asked. */
  writeView(path: string, data: Uint8Array | string): void {
    const fd = this.fs.openSync(path, "w", FILE_MODE);
    try {
      this.#writeAll(fd, data);
    } finally {
      this.fs.closeSync(fd);
    }
  }

  /** Makes the names in a directory durable. */
  syncDir(path: string): void {
    if (!this.#sync) return;
    const fd = this.fs.openSync(path, "r");
    try {
      this.fs.fsyncSync(fd);
    } finally {
      this.fs.closeSync(fd);
    }
  }

  /** Makes a directory and what is missing above it. Their names become durable by {@link syncUp}. */
  makeDir(dir: string): void {
    this.fs.mkdirSync(dir, { recursive: true, mode: DIR_MODE });
  }

  /** The same inside a folder that must be there: a run that someone has deleted meanwhile is not half made again. */
  makeDirBelow(root: string, dir: string): void {
    if (dir === root || this.fs.existsSync(dir)) return;
    this.makeDirBelow(root, dirname(dir));
    try {
      this.fs.mkdirSync(dir, { recursive: false, mode: DIR_MODE });
    } catch (error) {
      // Someone else may have made it just now.
      if (!this.fs.existsSync(dir)) throw error;
    }
  }

  /**
   * Makes the names of a directory and of everything above it durable. Whoever made them may have died
   * before saying so.
   */
  syncUp(dir: string): void {
    for (let above = dirname(dir); ; above = dirname(above)) {
      try {
        this.syncDir(above);
      } catch (error) {
        // Folders far above may be closed to us, or on file systems that cannot be synced; they were there
        // before us.
        const { code = "EIO" } = error as NodeJS.ErrnoException;
        if (code === "EIO" || code === "ENOSPC" || above === dirname(dir)) throw error;
      }
      if (above === dirname(above)) return;
    }
  }

  /** Removes a file of ours that is of no more use; a leftover does no harm. */
  discard(path: string): void {
    try {
      this.fs.unlinkSync(path);
    } catch {
      // It was never made, or cannot be removed now.
    }
  }

  #writeAll(fd: number, data: Uint8Array | string): void {
    let rest = typeof data === "string" ? Buffer.from(data) : data;
    while (rest.length > 0) rest = rest.subarray(this.fs.writeSync(fd, rest));
  }
}
