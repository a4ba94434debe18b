import fs from "node:fs";
import { dirname } from "node:path";

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
  mkdirSync(path: string, options: { recursive: boolean; mode: number }): string | undefined;
  readFileSync(path: string, encoding: "utf8"): string;
  readdirSync(path: string): string[];
  existsSync(path: string): boolean;
  /** Size of a file; undefined when there is none, or a folder. */
  sizeOf(path: string): number | undefined;
  /** Another one as soon as the file is written to or replaced; undefined when there is none, or a folder. */
  stampOf(path: string): string | undefined;
  rmSync(path: string, options: { recursive: boolean; force: boolean }): void;
}

/** The real file system. */
export const nodeFs: JournalFs = {
  openSync: fs.openSync,
  writeSync: (fd, data) => (typeof data === "string" ? fs.writeSync(fd, data) : fs.writeSync(fd, data)),
  fsyncSync: fs.fsyncSync,
  closeSync: fs.closeSync,
  linkSync: fs.linkSync,
  unlinkSync: fs.unlinkSync,
  renameSync: fs.renameSync,
  mkdirSync: (path, options) => fs.mkdirSync(path, options),
  readFileSync: (path, encoding) => fs.readFileSync(path, encoding),
  readdirSync: (path) => fs.readdirSync(path),
  existsSync: fs.existsSync,
  sizeOf: (path) => {
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? stat.size : undefined;
  },
  stampOf: (path) => {
    const stat = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() ? `${stat.ino}-${stat.size}-${stat.mtimeNs}-${stat.ctimeNs}` : undefined;
  },
  rmSync: (path, options) => fs.rmSync(path, options),
};

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
