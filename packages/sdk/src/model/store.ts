/**
 * What keeps the journals of runs: the smallest thing that files, memory or a database can offer. A store knows
 * nothing of paths, and of an event no more than its place in the chain: events come to it sealed.
 */
import type { Head, JournalEvent } from "./events.js";
import type { RunId } from "./ids.js";
import type { ReplayIndex, RunSummary } from "./run-state.js";

/** The name of an event: where it stands in the chain. */
export type Place = Pick<Head, "seq" | "id">;

/** What an append achieved. */
export interface AppendAnswer {
  /** How many of the events are in the journal now, durable: a prefix of what was given. */
  appended: number;
  /** True when the rest does not build on the head: somebody else was faster. */
  conflict: boolean;
}

/** A run as a listing sees it; foreign ones were made by another tool, and nothing else can be done with them. */
export interface RunListing {
  runId: RunId;
  foreign: boolean;
}

/** A blob by its name, the SHA-256 of its text, with the length of the text in UTF-8. */
export interface BlobRef {
  blob: string;
  bytes: number;
}

/** A copy of the process code at the time the run was made. */
export interface CodeSnapshot {
  files: { path: string; text: string }[];
}

/** What belongs to a new run besides its events. */
export interface RunExtras {
  /** Texts of the blobs that the events refer to. */
  blobs?: Iterable<string> | AsyncIterable<string>;
  /** For people to look at; a store that has no place for it leaves it out. */
  code?: CodeSnapshot;
}

/**
 * Keeps the journals of runs. Several programs may use the same runs through stores of their own. Every method
 * that takes a run id refuses with INVALID_ID what is none, and what reads or writes a run that is not there with
 * RUN_NOT_FOUND.
 */
export interface EventStore {
  /**
   * Makes a run with its first events, a chain that begins with RUN_CREATED, and all extras: the run is there
   * with all of them, durable, or not at all. RUN_EXISTS when the id is taken.
   */
  create(runId: RunId, events: readonly JournalEvent[], extras?: RunExtras): Promise<void>;
  exists(runId: RunId): Promise<boolean>;
  list(): Promise<RunListing[]>;
  /**
   * Events that follow `after` in the chain, each verified; from the beginning with undefined. Answers undefined
   * when `after` itself is not in the journal, so what was cached is worthless. Whoever is about to vouch for
   * what others have appended asks for it to be durable.
   */
  read(runId: RunId, after: Head | undefined, options?: { durable?: boolean }): Promise<JournalEvent[] | undefined>;
  /** One event by its place, verified; JOURNAL_BROKEN when it is not there. */
  readAt(runId: RunId, place: Place): Promise<JournalEvent>;
  /**
   * Appends sealed events if the first builds on the head, all in one go or a prefix of them: each prefix is
   * legal. Durable on return, with everything it builds on. `fence` is the epoch of the caller's lease: RUN_BUSY
   * when the store knows of a newer one.
   */
  append(runId: RunId, events: readonly JournalEvent[], options?: { fence?: number }): Promise<AppendAnswer>;
  /** Keeps a text under its hash, durable on return. */
  putBlob(runId: RunId, text: string): Promise<BlobRef>;
  /** JOURNAL_BROKEN when it is not there, or no longer what its name says. */
  getBlob(runId: RunId, blob: string): Promise<string>;
  /** Calls `onChange` when somebody may have appended to a run, sometimes once too often; answers how to stop. */
  watch(runId: RunId, onChange: () => void): () => void;
}

/** The cached fold, with what the last replay had seen. */
export interface SummarySnapshot {
  summary: RunSummary;
  lastReplay?: LastReplay;
  lastError?: LastError;
}

/** The error that the last iteration ended with; a good one clears it. */
export interface LastError {
  at: string;
  code: string;
  message: string;
}

/** What the last replay had seen; the same again needs no replay. */
export interface LastReplay {
  processHead: number;
  lastResolution: number;
  codeHash: string;
  warnings: string[];
}

/** Caches of the folded journal. All of them may be lost at any time, and none is written unless it saves work. */
export interface Snapshots {
  /** Undefined when one of the two caches is missing: they are made anew together. */
  readSummary(runId: RunId): Promise<SummarySnapshot | undefined>;
  writeSummary(runId: RunId, snapshot: SummarySnapshot): Promise<void>;
  readIndex(runId: RunId): Promise<ReplayIndex | undefined>;
  writeIndex(runId: RunId, index: ReplayIndex, summary: RunSummary): Promise<void>;
}
