/** What people do with runs that lie in files: look for damage, mend it, put them aside, make room. */
import type { Head } from "./events.js";
import type { RunId } from "./ids.js";
import type { EventStore, Snapshots } from "./store.js";
import type { Workspace } from "./workspace.js";

/** What is known to disagree between files and chain. */
export interface JournalFinding {
  /** Name of the file inside the run directory. */
  file: string;
  problem: string;
  /** True when every command heals it by itself. */
  harmless: boolean;
}

/** Things that a whole check of a run reports. */
export interface JournalReport {
  events: number;
  head: Head | undefined;
  findings: JournalFinding[];
}

/** What a repair moved, and where the copy of the untouched journal is. */
export interface RepairReport {
  moved: JournalFinding[];
  /** Relative to the run directory; undefined when nothing had to be moved. */
  backup: string | undefined;
  events: number;
}

/** Something of no more use that a crash has left behind. */
export interface Leftover {
  /** Absolute. */
  path: string;
  what: "half-removed run" | "unfinished creation" | "empty shell of a run" | "temporary file";
  bytes: number;
}

/** Everything that keeps the runs of one place. */
export interface RunStorage {
  store: EventStore;
  snapshots: Snapshots;
  workspace: Workspace;
  upkeep: Upkeep;
}

export interface Upkeep {
  check(runId: RunId): Promise<JournalReport>;
  /** Moves aside what breaks the chain, after a backup of the whole journal. */
  repair(runId: RunId, options: { dryRun: boolean; stamp: string }): Promise<RepairReport>;
  /** The runs that were put aside. */
  archived(): RunStorage;
  /**
   * Puts a run aside in one step; answers its new directory, or undefined when something was appended behind
   * `head`, and then the run is where it was.
   */
  archive(runId: RunId, head: Head): Promise<string | undefined>;
  /** Brings a run back that was put aside; answers its directory. */
  restore(runId: RunId): Promise<string>;
  /** Bytes that a run takes. */
  sizeOf(runId: RunId): Promise<number>;
  /**
   * Deletes a run for good. It is out of sight at once, so no half of it is ever seen. False when something
   * was appended behind `head`, and then nothing was deleted.
   */
  remove(runId: RunId, head: Head): Promise<boolean>;
  /** Deletes what crashes have left behind, as far as it is older than `before`. */
  sweep(options: { before: Date; dryRun: boolean }): Promise<Leftover[]>;
}
