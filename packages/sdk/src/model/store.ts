/**
 * Where the journals of runs are kept: a small interface that files, memory or a database can implement. A store
 * knows nothing about paths, and only the place of an event in the chain: events arrive sealed.
 */
import type { Head, JournalEvent } from "./events.js";
import type { RunId } from "./ids.js";
import type { JsonObject } from "./json.js";
import type { ReplayIndex } from "./replay-index.js";
import type { RunSummary } from "./run-state.js";

/** The name of an event: its place in the chain. */
export type Place = Pick<Head, "seq" | "id">;

/** What an append achieved. */
export interface AppendAnswer {
  /** How many of the given events, counted from the first, are now durably in the journal. */
  appended: number;
  /** True when the rest does not build on the head: someone else was faster. */
  conflict: boolean;
}

/** A run in a listing. Foreign runs were created by another tool; they can only be listed. */
export interface RunListing {
  runId: RunId;
  foreign: boolean;
}

/** A blob by its name, the SHA-256 of its text, with the length of the text in UTF-8. */
export interface BlobRef {
  blob: string;
  bytes: number;
}

/** A copy of the process code at the time the run was created. */
export interface CodeSnapshot {
  files: { path: string; text: string }[];
}

/** What belongs to a new run besides its events. */
export interface RunExtras {
  /** Texts of the blobs that the events refer to. */
  blobs?: Iterable<string> | AsyncIterable<string>;
  /** For people to read; a store that has no place for it ignores it. */
  code?: CodeSnapshot;
}

/**
 * Keeps the journals of runs. Several programs may use the same runs, each through its own store. Every method that
 * takes a run ID fails with INVALID_ID if the ID is not valid. Methods that read or write a run fail with
 * RUN_NOT_FOUND if it does not exist.
 */
export interface EventStore {
  /**
   * Creates a run with its first events, a chain that starts with RUN_CREATED, and all extras: either everything
   * is durable or the run does not exist. Fails with RUN_EXISTS if the ID is taken.
   */
  create(runId: RunId, events: readonly JournalEvent[], extras?: RunExtras): Promise<void>;
  exists(runId: RunId): Promise<boolean>;
  list(): Promise<RunListing[]>;
  /**
   * Returns the events that follow `after` in the chain, each verified; all events if `after` is undefined. Returns
   * undefined if `after` itself is not in the journal, so that caches must be dropped. Ask for `durable` before
   * relying on what others have appended.
   */
  read(runId: RunId, after: Head | undefined, options?: { durable?: boolean }): Promise<JournalEvent[] | undefined>;
  /**
   * Yields events one by one, each verified and read only when it is asked for: the first one first, or `last` first
   * and then what is before it. Without this method everything is read.
   */
  walk?(runId: RunId, last?: Head): AsyncIterable<JournalEvent>;
  /** Returns one event by its place, verified; fails with JOURNAL_BROKEN if it is missing. */
  readAt(runId: RunId, place: Place): Promise<JournalEvent>;
  /**
   * Appends sealed events if the first builds on the head: all of them at once, or a prefix, since every prefix is
   * valid. On return they are durable, with everything they build on. `fence` is the epoch of the caller's lease;
   * fails with RUN_BUSY if the store knows a newer one.
   */
  append(runId: RunId, events: readonly JournalEvent[], options?: { fence?: number }): Promise<AppendAnswer>;
  /** Stores a text under its hash; durable on return. */
  putBlob(runId: RunId, text: string): Promise<BlobRef>;
  /** Fails with JOURNAL_BROKEN if the blob is missing or does not match its name. */
  getBlob(runId: RunId, blob: string): Promise<string>;
  /** Calls `onChange` when someone may have appended to a run, with occasional false alarms; returns how to stop. */
  watch(runId: RunId, onChange: () => void): () => void;
}

/** The cached fold, with what the last replay saw. */
export interface SummarySnapshot {
  summary: RunSummary;
  lastReplay?: LastReplay;
  lastError?: LastError;
}

/** The error that ended the last iteration; a successful iteration clears it. */
export interface LastError {
  at: string;
  code: string;
  message: string;
}

/** What the last replay saw; if nothing has changed, no replay is needed. */
export interface LastReplay {
  processHead: number;
  lastResolution: number;
  codeHash: string;
  warnings: string[];
}

/** Caches of the folded journal. They may be lost at any time, and are written only when that saves work. */
export interface Snapshots {
  /** Undefined when one of the two caches is missing or damaged: they are rebuilt together. */
  readSummary(runId: RunId): Promise<SummarySnapshot | undefined>;
  writeSummary(runId: RunId, snapshot: SummarySnapshot): Promise<void>;
  readIndex(runId: RunId): Promise<ReplayIndex | undefined>;
  writeIndex(runId: RunId, index: ReplayIndex, summary: RunSummary): Promise<void>;
}

/** A run in a listing, with the note about it if nothing has touched the run since that was taken. */
export interface NotedListing extends RunListing {
  /** One object may be the note about many runs: nobody changes it. */
  readonly note?: JsonObject | undefined;
  /** The times of its last event, its beginning and its end. */
  readonly at?: string;
  readonly createdAt?: string;
  readonly endedAt?: string | undefined;
  /** Nobody waits for the run any more. */
  readonly over?: boolean;
}

/** A note to be kept. `fromCaches`: what it says is not only in the journal. */
export interface FreshNote {
  note: JsonObject;
  at: string;
  createdAt: string;
  endedAt?: string;
  over: boolean;
  fromCaches: boolean;
}

/** Notes about what listings show of runs. They may be lost at any time, and are written only when that saves work. */
export interface RunNotes {
  /** Those that are noted to be over come first; the others are in the order of their names. */
  list(): Promise<NotedListing[]>;
  /** Takes notes about runs of the last listing, each of which was read after it. */
  keep(notes: ReadonlyMap<RunId, FreshNote>): Promise<void>;
  /** To be called when something was written to a run that is over: notes about those are believed for a while. */
  lookAgain(): Promise<void>;
}
