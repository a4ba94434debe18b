/** Watches the folders in which runs appear. One that is deleted and made again is another folder. */
import fs from "node:fs";

interface Watched {
  inode: number;
  watcher: fs.FSWatcher | undefined;
}

export class WatchedFolders {
  readonly #watched = new Map<string, Watched>();
  readonly #onChange: (folder: string, name: string | null) => void;

  constructor(onChange: (folder: string, name: string | null) => void) {
    this.#onChange = onChange;
  }

  /** Watches these, and no others. */
  keep(folders: readonly string[]): void {
    for (const folder of this.#watched.keys()) if (!folders.includes(folder)) this.#forget(folder);
    for (const folder of folders) this.#keepOne(folder);
  }

  close(): void {
    this.keep([]);
  }

  #keepOne(folder: string): void {
    const inode = inodeOf(folder);
    if (this.#watched.get(folder)?.inode === inode) return;
    this.#forget(folder);
    if (inode !== undefined) this.#watched.set(folder, { inode, watcher: this.#watch(folder) });
  }

  /** Where nothing can be watched, looking at all runs from time to time has to do. */
  #watch(folder: string): fs.FSWatcher | undefined {
    try {
      const watcher = fs.watch(folder, (_, name) => this.#onChange(folder, name));
      watcher.on("error", () => this.#forget(folder));
      return watcher;
    } catch {
      return undefined;
    }
  }

  #forget(folder: string): void {
    this.#watched.get(folder)?.watcher?.close();
    this.#watched.delete(folder);
  }
}

function inodeOf(folder: string): number | undefined {
  try {
    return fs.statSync(folder, { throwIfNoEntry: false })?.ino;
  } catch {
    return undefined;
  }
}
