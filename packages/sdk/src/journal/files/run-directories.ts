import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import { isRunId, parseRunId, type RunId } from "../../model/ids.js";
import { isJsonObject, parseJson } from "../../model/json.js";
import type { RunListing } from "../../model/store.js";
import { parseEventFileName } from "../rules/chain.js";
import { runNotFound } from "../rules/refusals.js";
import { UNFINISHED_PREFIX } from "./create-run.js";
import { throwShortage, withDiskErrors, withReadErrors } from "./disk-errors.js";
import { EventLog } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";
import { archiveDirOf, type RunLayout, runLayout } from "./layout.js";
import { refuseFalseFolders } from "./own-folders.js";

/** Whoever deletes a run removes something of it at least this often. */
const DELETION_STEP_MS = 50;

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
    return `${this.folder}${path.sep}${parseRunId(runId)}`;
  }

  exists(runId: RunId): boolean {
    return this.files.fs.existsSync(this.dirOf(runId));
  }

  list(): RunListing[] {
    return this.names()
      .map((runId) => this.listingOf(runId))
      .filter((listing) => listing !== undefined);
  }

  /** What is there under a name that a run may have, in order. */
  names(): RunId[] {
    const { fs } = this.files;
    if (!fs.existsSync(`${this.folder}/.`)) return [];
    return withReadErrors(this.folder, () => fs.readdirSync(this.folder))
      .filter((name): name is RunId => !name.startsWith(UNFINISHED_PREFIX) && isRunId(name))
      .toSorted();
  }

  /** Undefined for something else than a run. */
  listingOf(runId: RunId): RunListing | undefined {
    const { fs } = this.files;
    const runDir = this.dirOf(runId);
    const maker = this.#makerOf(runDir);
    if (maker !== undefined) return { runId, foreign: maker === "another tool" };
    // A run that was moved elsewhere, perhaps to a disk that is not there now: opening it says so.
    return fs.kindOf(runDir) === "link" && !fs.existsSync(runDir) ? { runId, foreign: false } : undefined;
  }

  /** The paths of a run of ours. */
  layoutOf(runId: RunId): RunLayout {
    const layout = runLayout(this.dirOf(runId));
    if (!this.#logs.has(runId)) refuseFalseFolders(this.files, layout);
    // Only this program writes a summary there; looking at the journal's many names can be saved.
    if (this.#logs.has(runId) || this.files.fs.existsSync(layout.summary)) return layout;
    const maker = this.#makerOf(layout.root);
    if (maker === undefined) throw this.#notFound(runId);
    if (maker === "another tool") throw foreignRun(runId, layout.root);
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
  async reading<T>(runId: RunId, read: () => T): Promise<T> {
    return this.#unlessGone(runId, () => withReadErrors(this.dirOf(runId), read));
  }

  /** The same while it is written to. */
  async writing<T>(runId: RunId, write: () => T): Promise<T> {
    return this.#unlessGone(runId, () => withDiskErrors(this.dirOf(runId), write));
  }

  /** Throws when the run is not there, or no longer. */
  async refuseGone(runId: RunId): Promise<void> {
    const dir = this.dirOf(runId);
    // One that is being deleted file by file is there for as long as that takes, and less of it at every look.
    for (let before = Number.POSITIVE_INFINITY; !this.#isGone(runId); ) {
      const left = this.#entriesBelow(dir);
      if (left >= before) return;
      before = left;
      await new Promise((resolve) => setTimeout(resolve, DELETION_STEP_MS));
    }
    throw this.#notFound(runId);
  }

  async #unlessGone<T>(runId: RunId, act: () => T): Promise<T> {
    try {
      return act();
    } catch (error) {
      if (BabysitterError.is(error) && error.code.startsWith("JOURNAL_")) await this.refuseGone(runId);
      throw ofRun(runId, error);
    }
  }

  /** Without its beginning nothing is left but what a command wrote just after the run was moved away or deleted. */
  #isGone(runId: RunId): boolean {
    const { fs } = this.files;
    const dir = this.dirOf(runId);
    const hasBeginning =
      fs.kindOf(path.join(dir, "run.json")) !== undefined || this.#firstEvent(path.join(dir, "journal")) !== undefined;
    return !hasBeginning && (fs.kindOf(dir) === undefined || fs.existsSync(dir));
  }

  #entriesBelow(dir: string): number {
    const { fs } = this.files;
    if (fs.kindOf(dir) !== "folder") return 1;
    return this.#names(dir).reduce((count, name) => count + this.#entriesBelow(path.join(dir, name)), 1);
  }

  #notFound(runId: RunId): BabysitterError {
    const isArchived = this.files.fs.existsSync(path.join(archiveDirOf(this.folder), runId));
    const details = { runsDir: this.folder, ...(isArchived ? { archived: true } : {}) };
    return runNotFound(runId, ` in ${this.folder}`, details);
  }

  /** Undefined for something else than a run. One that is moved away meanwhile has nothing in it that is ours; it is gone. */
  #makerOf(dir: string): "us" | "another tool" | undefined {
    if (!this.#looksLikeRun(dir)) return undefined;
    if (this.#isOurs(dir)) return "us";
    return this.#looksLikeRun(dir) ? "another tool" : undefined;
  }

  #looksLikeRun(dir: string): boolean {
    const { fs } = this.files;
    return ["run.json", "journal"].some((name) => fs.kindOf(path.join(dir, name)) !== undefined);
  }

  /** Other tools use the same directory layout; only our runs know the rules they are replayed by. */
  #isOurs(dir: string): boolean {
    const journal = path.join(dir, "journal");
    if (typeof this.#jsonField(path.join(dir, "run.json"), "semantics") === "number") return true;
    const first = this.#firstEvent(journal);
    return first !== undefined && typeof this.#jsonField(path.join(journal, first), "format") === "number";
  }

  #firstEvent(journal: string): string | undefined {
    return this.#names(journal).find((name) => parseEventFileName(name)?.seq === 1);
  }

  #names(dir: string): string[] {
    try {
      return this.files.fs.readdirSync(dir);
    } catch (error) {
      throwShortage(error);
      return [];
    }
  }

  #jsonField(file: string, field: string): unknown {
    try {
      const document = parseJson(this.files.textOf(file) ?? "null");
      return isJsonObject(document) ? document[field] : undefined;
    } catch (error) {
      throwShortage(error);
      return undefined;
    }
  }
}

/** Damage is found in a file; whoever is told of it needs the run. */
function ofRun(runId: RunId, error: unknown): unknown {
  if (!BabysitterError.is(error) || error.code !== "JOURNAL_BROKEN" || "runId" in error.details) return error;
  const { code, message, hint, details } = error;
  const look = `To list everything that is wrong: babysitter run:check ${runId}`;
  return new BabysitterError(code, message, {
    hint: hint === undefined ? look : `${hint} ${look}`,
    details: { ...details, runId },
    cause: error,
  });
}

function foreignRun(runId: RunId, runDir: string): BabysitterError {
  return new BabysitterError("FOREIGN_RUN", `${runDir} was created by another tool.`, {
    hint: "Its journal is not in this program's format; create a new run for the process instead.",
    details: { runId, runDir },
  });
}
