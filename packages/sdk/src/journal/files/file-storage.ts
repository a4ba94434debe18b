import type { RunStorage } from "../../model/upkeep.js";
import { FileEventStore } from "./file-event-store.js";
import { FileRunNotes } from "./file-run-notes.js";
import { FileSnapshots } from "./file-snapshots.js";
import { FileUpkeep } from "./file-upkeep.js";
import { FileWorkspace, type ViewTiming } from "./file-workspace.js";
import { type Durability, DurableFiles, type JournalFs, nodeFs } from "./journal-fs.js";
import { archiveDirOf } from "./layout.js";
import { RunDirectories } from "./run-directories.js";

export interface FileStorageOptions {
  runsDir: string;
  durability?: Durability;
  views?: ViewTiming;
  fs?: JournalFs;
  /** The time by which files are dated. */
  now?: () => number;
}

/** Runs in the directories of one folder. */
export function fileStorage(options: FileStorageOptions): RunStorage {
  const files = new DurableFiles(options.fs ?? nodeFs, options.durability ?? "full");
  const runs = new RunDirectories(options.runsDir, files);
  const store = new FileEventStore(runs);
  const archiveDir = archiveDirOf(runs.folder);
  const archive = {
    runs: new RunDirectories(archiveDir, files),
    open: () => fileStorage({ ...options, runsDir: archiveDir }),
  };
  return {
    store,
    snapshots: new FileSnapshots(runs),
    workspace: new FileWorkspace(runs, store, options.views ?? "at-once"),
    upkeep: new FileUpkeep(runs, archive),
    notes: new FileRunNotes(runs, options.now),
  };
}
