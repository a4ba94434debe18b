import type { Head } from "../../model/events.js";
import type { RunId } from "../../model/ids.js";
import type { JournalReport, Leftover, RepairReport, RunStorage, Upkeep } from "../../model/upkeep.js";
import { archiveRunDirectory, restoreRunDirectory } from "./archive.js";
import { checkJournal, repairJournal } from "./check-journal.js";
import { askForLook } from "./last-look.js";
import { notesDirOf } from "./layout.js";
import { removeRunDirectory } from "./remove-run.js";
import type { RunDirectories } from "./run-directories.js";
import { sweepLeftovers } from "./sweep.js";
import { treeBytes } from "./tree-size.js";

/** The archived runs: their directories, and everything to work with them. */
export interface Archive {
  runs: RunDirectories;
  open(): RunStorage;
}

export class FileUpkeep implements Upkeep {
  readonly #runs: RunDirectories;
  readonly #archive: Archive;

  constructor(runs: RunDirectories, archive: Archive) {
    this.#runs = runs;
    this.#archive = archive;
  }

  async check(runId: RunId): Promise<JournalReport> {
    return this.#runs.reading(runId, () => checkJournal(this.#runs.files, this.#runs.layoutOf(runId)));
  }

  async repair(runId: RunId, options: { dryRun: boolean; stamp: string }): Promise<RepairReport> {
    const { files, folder } = this.#runs;
    const report = await this.#runs.reading(runId, () => repairJournal(files, this.#runs.layoutOf(runId), options));
    // What was taken out may be the end of the run.
    if (report.backup !== undefined) askForLook(files, notesDirOf(folder));
    return report;
  }

  archived(): RunStorage {
    return this.#archive.open();
  }

  async archive(runId: RunId, head: Head): Promise<string | undefined> {
    const { root } = this.#runs.layoutOf(runId);
    this.#runs.forget(runId);
    return archiveRunDirectory(this.#runs.files, { runId, from: root, toDir: this.#archive.runs.folder, head });
  }

  async restore(runId: RunId): Promise<string> {
    const { root } = this.#archive.runs.layoutOf(runId);
    return restoreRunDirectory(this.#runs.files, { runId, from: root, toDir: this.#runs.folder });
  }

  async sizeOf(runId: RunId): Promise<number> {
    return treeBytes(this.#runs.layoutOf(runId).root);
  }

  async remove(runId: RunId, head: Head): Promise<boolean> {
    const { root } = this.#runs.layoutOf(runId);
    this.#runs.forget(runId);
    return removeRunDirectory(this.#runs.files, root, head);
  }

  async sweep(options: { before: Date; dryRun: boolean }): Promise<Leftover[]> {
    const ours = this.#runs.list().filter(({ foreign }) => !foreign);
    const own = ours.map(({ runId }) => this.#runs.dirOf(runId));
    return sweepLeftovers(this.#runs.files, { ...options, runsDir: this.#runs.folder, own });
  }
}
