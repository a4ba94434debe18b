import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import { isRunId, parseRunId, type RunId } from "../../model/ids.js";
import { isJsonObject } from "../../model/json.js";
import type { RunListing } from "../../model/store.js";
import { parseEventFileName } from "../rules/chain.js";
import { runNotFound } from "../rules/refusals.js";
import { UNFINISHED_PREFIX } from "./create-run.js";
import { EventLog } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";
import { type RunLayout, runLayout } from "./layout.js";

/** The folder that has one directory per run, and what is known of those that were opened. */
export class RunDirectories {
  readonly folder: string;
  readonly files: DurableFiles;
  readonly #logs = new Map<RunId, EventLog>();

  constructor(folder: string, files: DurableFiles) {
    this.folder = path.resolve(folder);
    this.files = files;
  }

  /** Directory of a run, there or not. */
  dirOf(runId: RunId): string {
    return path.join(this.folder, parseRunId(runId));
  }

  exists(runId: RunId): boolean {
    return this.files.fs.existsSync(this.dirOf(runId));
  }

  list(): RunListing[] {
    const { fs } = this.files;
    if (!fs.existsSync(`${this.folder}/.`)) return [];
    const listings: RunListing[] = [];
    for (const name of fs.readdirSync(this.folder).toSorted()) {
      const runDir = path.join(this.folder, name);
      if (name.startsWith(UNFINISHED_PREFIX) || !isRunId(name) || !this.#looksLikeRun(runDir)) continue;
      listings.push({ runId: name, foreign: !this.#isOurs(runDir) });
    }
    return listings;
  }

  /** The paths of a run of ours. */
  layoutOf(runId: RunId): RunLayout {
    const layout = runLayout(this.dirOf(runId));
    // Only this program writes a summary there; looking at the journal's many names can be saved.
    if (this.#logs.has(runId) || this.files.fs.existsSync(layout.summary)) return layout;
    if (!this.#looksLikeRun(layout.root)) throw this.#notFound(runId);
    if (!this.#isOurs(layout.root)) throw foreignRun(runId, layout.root);
    return layout;
  }

  logOf(runId: RunId): EventLog {
    let log = this.#logs.get(runId);
    if (log === undefined) {
      log = new EventLog(this.files, this.layoutOf(runId));
      this.#logs.set(runId, log);
    }
    return log;
  }

  /** For a run that is about to go elsewhere. */
  forget(runId: RunId): void {
    this.#logs.delete(runId);
  }

  /** A run that is archived or deleted while being read looks damaged; it is only gone. */
  reading<T>(runId: RunId, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#looksLikeRun(this.dirOf(runId)) ? error : this.#notFound(runId);
    }
  }

  #notFound(runId: RunId): BabysitterError {
    return runNotFound(runId, ` in ${this.folder}`, { runsDir: this.folder });
  }

  #looksLikeRun(dir: string): boolean {
    const { fs } = this.files;
    return fs.existsSync(path.join(dir, "run.json")) || fs.existsSync(path.join(dir, "journal"));
  }

  /** Other tools use the same directory layout; only our runs know the rules they are replayed by. */
  #isOurs(dir: string): boolean {
    const journal = path.join(dir, "journal");
    if (typeof this.#jsonField(path.join(dir, "run.json"), "semantics") === "number") return true;
    const first = this.#names(journal).find((name) => parseEventFileName(name)?.seq === 1);
    return first !== undefined && typeof this.#jsonField(path.join(journal, first), "format") === "number";
  }

  #names(dir: string): string[] {
    try {
      return this.files.fs.readdirSync(dir);
    } catch {
      return [];
    }
  }

  #jsonField(file: string, field: string): unknown {
    try {
      const document: unknown = JSON.parse(this.files.fs.readFileSync(file, "utf8"));
      return isJsonObject(document) ? document[field] : undefined;
    } catch {
      return undefined;
    }
  }
}

function foreignRun(runId: RunId, runDir: string): BabysitterError {
  return new BabysitterError("FOREIGN_RUN", `${runDir} was created by another tool.`, {
    hint: "Its journal is not in this program's format; create a new run for the process instead.",
    details: { runId, runDir },
  });
}
