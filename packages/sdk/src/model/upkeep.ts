/** Maintenance of runs that are kept in files: check, repair, archive, delete. */
import type { Head } from "./events.js";
import type { RunId } from "./ids.js";
import type { EventStore, RunNotes, Snapshots } from "./store.js";
import type { Workspace } from "./workspace.js";

/** A difference between the files and the chain. */
export interface JournalFinding {
  /** Name of the file inside the run directory. */
  file: string;
  problem: string;
  /** True when any command repairs it automatically. */
  harmless: boolean;
}

/** The result of a full check of a run. */
export interface JournalReport {
  events: number;
  head: Head | undefined;
  findings: JournalFinding[];
}

/** What a repair moved, and where the backup of the original journal is. */
export interface RepairReport {
  moved: JournalFinding[];
  /** Relative to the run directory; undefined when nothing had to be moved. */
  backup: string | undefined;
  events: number;
}

/** Something useless that a crash left behind. */
export interface Leftover {
  /** Absolute. */
  path: string;
  what: "half-removed run" | "unfinished creation" | "empty shell of a run" | "temporary file";
  bytes: number;
}

/** Everything that keeps the runs of one directory. */
export interface RunStorage {
  store: EventStore;
  snapshots: Snapshots;
  workspace: Workspace;
  upkeep: Upkeep;
  notes: RunNotes;
}

export interface Upkeep {
  check(runId: RunId): Promise<JournalReport>;
  /** Moves aside what breaks the chain, after backing up the whole journal. */
  repair(runId: RunId, options: { dryRun: boolean; stamp: string }): Promise<RepairReport>;
  /** The archived runs. */
  archived(): RunStorage;
  /**
   * Archives a run in one step and returns its new directory; undefined if something was appended after `head`, in
   * which case the run was not moved.
   */
  archive(runId: RunId, head: Head): Promise<string | undefined>;
  /** Restores an archived run and returns its directory. */
  restore(runId: RunId): Promise<string>;
  /** Size of a run in bytes. */
  sizeOf(runId: RunId): Promise<number>;
  /**
   * Deletes a run permanently. It disappears in one step, so nobody ever sees half of it. False if something was
   * appended after `head`, in which case nothing was deleted.
   */
  remove(runId: RunId, head: Head): Promise<boolean>;
  /** Deletes what crashes left behind, if older than `before`. */
  sweep(options: { before: Date; dryRun: boolean }): Promise<Leftover[]>;
}
