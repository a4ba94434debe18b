/** What the use cases need from the world. Everything with files, clocks or child processes implements one of these. */
import type { EventDraft, Head, JournalEvent, RunCreated } from "./events.js";
import type { EffectId, RunId } from "./ids.js";
import type { Json } from "./json.js";
import type { ReplayIndex, RunSummary } from "./run-state.js";

/** The time of day. */
export interface Clock {
  now(): Date;
}

/** What an append achieved. */
export interface AppendResult {
  /** The drafts that are in the journal now, durable: a prefix of what was given. */
  events: JournalEvent[];
  /** True when somebody else took the next place in the chain; the rest was not appended. */
  conflict: boolean;
}

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

/** A run directory as a listing sees it. */
export type RunListing = { runId: RunId; runDir: string } & ({ foreign: true } | { foreign: false });

/** The end of a log, and whether something before it was left out. */
export interface LogTail {
  text: string;
  /** Size of the whole log. */
  bytes: number;
  truncated: boolean;
}

/** Something of no more use that a crash has left behind. */
export interface Leftover {
  /** Absolute. */
  path: string;
  what: "half-removed run" | "unfinished creation" | "empty shell of a run" | "temporary file";
  bytes: number;
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

/** Fills a new run by appending to it, one event at a time. */
export type Fill = (append: (draft: EventDraft) => JournalEvent) => Promise<void>;

/** Keeps the journals of runs. The file store is the first implementation; nothing else knows of files. */
export interface JournalStore {
  /**
   * Makes a run with its first event; RUN_EXISTS when the id is taken. `fill` may append more before anybody
   * can see the run: it exists with all of them or not at all.
   */
  create(runId: RunId, first: EventDraft & { type: "RUN_CREATED" }, code: CodeSnapshot, fill?: Fill): Promise<void>;
  exists(runId: RunId): Promise<boolean>;
  list(): Promise<RunListing[]>;
  /** Directory of a run, absolute. */
  runDir(runId: RunId): string;
  /**
   * Events that follow `after` in the chain, each verified; from the beginning with undefined.
   * Answers undefined when `after` itself is not in the journal, so what was cached is worthless.
   */
  read(runId: RunId, after: Head | undefined): Promise<JournalEvent[] | undefined>;
  /** One event by its place. */
  readAt(runId: RunId, place: { seq: number; id: string }): Promise<JournalEvent>;
  /**
   * Appends behind `head`, each event durable when this returns. Every prefix of the drafts must be
   * legal. Stored values above the inline limit are moved to blobs.
   */
  append(runId: RunId, head: Head, drafts: EventDraft[]): Promise<AppendResult>;
  /** Makes durable what other writers have appended and this one is about to vouch for. */
  sync(runId: RunId): Promise<void>;
  /** Stores text under its hash, durable when this returns. */
  putBlob(runId: RunId, text: string): Promise<{ blob: string; bytes: number }>;
  getBlob(runId: RunId, blob: string): Promise<string>;
  /** Puts a file beside the effect's other files, such as its log; answers its path relative to the run. */
  writeTaskFile(
    runId: RunId,
    effectId: EffectId,
    name: "stdout.log" | "stderr.log",
    content: Uint8Array,
  ): Promise<string>;
  readTaskFile(runId: RunId, effectId: EffectId, name: "stdout.log" | "stderr.log"): Promise<string | undefined>;
  /** The last `maxBytes` of a log of an effect; undefined when there is none. */
  readLogTail(
    runId: RunId,
    effectId: EffectId,
    name: "stdout.log" | "stderr.log",
    maxBytes: number,
  ): Promise<LogTail | undefined>;
  /** Every log of an effect with its size, paths relative to the run. */
  listLogs(runId: RunId, effectId: EffectId): Promise<{ file: string; bytes: number }[]>;
  readSummary(runId: RunId): Promise<SummarySnapshot | undefined>;
  writeSummary(runId: RunId, snapshot: SummarySnapshot): Promise<void>;
  readIndex(runId: RunId): Promise<ReplayIndex | undefined>;
  /** True when there is an index to read, without reading it. */
  hasIndex(runId: RunId): Promise<boolean>;
  writeIndex(runId: RunId, index: ReplayIndex, summary: RunSummary): Promise<void>;
  /** Writes the readable copies that were put off; caches must never be ahead of them. */
  flushViews(runId: RunId): Promise<void>;
  /** Rewrites the readable copies of pending effects where they are missing. */
  restoreViews(runId: RunId, summary: RunSummary): Promise<void>;
  check(runId: RunId): Promise<JournalReport>;
  /** Moves aside what breaks the chain, after a backup of the whole journal. */
  repair(runId: RunId, options: { dryRun: boolean; stamp: string }): Promise<RepairReport>;
  /** The store of the runs that were put aside. */
  archived(): JournalStore;
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
  /** Calls `onChange` when somebody may have appended to a run, sometimes once too often; answers how to stop. */
  watch(runId: RunId, onChange: () => void): () => void;
}

/** A lifecycle hook's combined answer, as ctx.hook returns it. */
export interface HookResult {
  hookType: string;
  success: boolean;
  output?: Json;
  error?: string;
  executedHooks: string[];
}

/** Runs lifecycle hooks. */
export interface HookRunner {
  run(call: { runId: RunId; hookType: string; payload: Json; effectId: EffectId }): Promise<HookResult>;
}

/** A file as a person is shown it, or why it is not shown. `sha256` and `bytes` are those of the whole file. */
export type ContextFile =
  | { text: string; sha256: string; bytes: number; cutAt?: number }
  | { refused: string; sha256?: string; bytes?: number };

/** Reads the files that a question is about. */
export interface ContextFiles {
  /** Paths are relative to the run directory, then to the project; nothing outside of both is read. */
  read(path: string, roots: { runDir: string; projectRoot: string }): Promise<ContextFile>;
  sha256(text: string): string;
}

/** A copy of the process code at the time the run was made. */
export interface CodeSnapshot {
  files: { path: string; text: string }[];
}

/** A process entry on this machine. */
export interface EntryPoint {
  /** Absolute path of the file. */
  file: string;
  /** Name of the export; without one `process`, then `default`. */
  export?: string;
  /** Imports inside this folder belong to the code hash. */
  projectRoot: string;
}

/** The code of a process: hashing it is cheap, importing it is not. */
export interface ProcessCode {
  hash: string;
  snapshot(): CodeSnapshot;
  load(): Promise<LoadedProcess>;
}

export interface LoadedProcess {
  exportName: string;
  run: ProcessFunction;
}

/** A process: a plain async function. */
export type ProcessFunction = (inputs: unknown, ctx: unknown, extra?: unknown) => unknown;

/** Finds and imports process code. */
export interface ProcessLoader {
  /** `cacheDir` may hold what is known about unchanged files. */
  inspect(entry: EntryPoint, cacheDir: string | undefined): ProcessCode;
}

/** Where a run's code is on this machine. */
export interface CodePlace extends EntryPoint {
  cacheDir: string;
}

/** Everything the use cases work with. */
export interface Ports {
  /** A path without symbolic links, where there are such things. */
  realPath?(path: string): string;
  /** Finds the entry of an existing run. */
  locate(runDir: string, created: RunCreated): CodePlace;
  store: JournalStore;
  clock: Clock;
  loader: ProcessLoader;
  hooks: HookRunner;
  /** Random hexadecimal text. */
  randomHex(bytes: number): string;
  /** Who works on a run: at most one driver, and at most one driver of an agent. */
  leases: Readonly<Record<"driver" | "agent", Leases>>;
}

/** Who drives a run, as far as one can know from outside. */
export interface LeaseHolder {
  pid: number;
  /** When that process began, so that a reused pid is not taken for it. */
  startTime: string;
  host: string;
  /** In the environment of everything that the holder starts. */
  nonce: string;
}

export interface LeaseRecord extends LeaseHolder {
  epoch: number;
  released: boolean;
  /** When it was taken or renewed. */
  at: string;
  /** Earlier holders that were cut off; what they have started may still run until the holder has looked. */
  unsettled?: LeaseHolder[];
}

/** `previous`: whose lease ended before, released or not. */
export type LeaseAnswer =
  | { taken: true; epoch: number; previous: LeaseRecord | undefined }
  | { taken: false; by: LeaseRecord };

/** At most one holder per run. */
export interface Leases {
  /** `isGone` judges a holder that has not released its lease. */
  take(runId: RunId, holder: LeaseHolder, isGone: (other: LeaseRecord) => boolean): Promise<LeaseAnswer>;
  /** False when the lease is no longer this one. */
  renew(runId: RunId, epoch: number): Promise<boolean>;
  release(runId: RunId, epoch: number): Promise<void>;
  holder(runId: RunId): Promise<LeaseRecord | undefined>;
}
