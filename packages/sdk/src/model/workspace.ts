/** Files of a run on this machine, wherever the journal is. Only here do runs have paths. */
import type { JournalEvent } from "./events.js";
import type { EffectId, RunId } from "./ids.js";
import type { RunSummary } from "./run-state.js";

export type LogName = "stdout.log" | "stderr.log";

/** A file of a process's code in one of its versions. */
export interface SourceFile {
  path: string;
  sha256: string;
}

/** The end of a log, and whether it is truncated. */
export interface LogTail {
  text: string;
  /** Size of the whole log. */
  bytes: number;
  truncated: boolean;
}

/** The directory of a run. */
export interface Workspace {
  /** Absolute path, also for a run that does not exist yet. */
  runDir(runId: RunId): string;
  /** Folder of an effect's readable copies and logs. */
  taskDir(runId: RunId, effectId: EffectId): string;
  writeLog(runId: RunId, effectId: EffectId, name: LogName, content: Uint8Array): Promise<void>;
  readLog(runId: RunId, effectId: EffectId, name: LogName): Promise<string | undefined>;
  /** The last `maxBytes` of an effect's log; undefined if there is none. */
  readLogTail(runId: RunId, effectId: EffectId, name: LogName, maxBytes: number): Promise<LogTail | undefined>;
  /** Every log of an effect with its size, paths relative to the run. */
  listLogs(runId: RunId, effectId: EffectId): Promise<{ file: string; bytes: number }[]>;
  /** Keeps texts of code for later comparison; what is too large or cannot be written is not kept. */
  keepSources(runId: RunId, files: readonly (SourceFile & { text: string })[]): Promise<void>;
  /** The text of a file as it was then; undefined if it is not kept, or is no longer what it was. */
  readSource(runId: RunId, file: SourceFile): Promise<string | undefined>;
  /**
   * Writes readable copies of events, now or at the next flush. Copies of events that others appended are written
   * only if missing: the writer may have died before writing them.
   */
  showEvents(runId: RunId, events: readonly JournalEvent[], whose: "ours" | "others"): Promise<void>;
  /** Writes the readable copies that were deferred; caches must never be ahead of them. */
  flushViews(runId: RunId): Promise<void>;
  /** Rewrites missing readable copies of pending effects. */
  restoreViews(runId: RunId, summary: RunSummary): Promise<void>;
}
