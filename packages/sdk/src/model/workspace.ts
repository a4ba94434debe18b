/** Files of a run on this machine, wherever the journal is. Only here do runs have paths. */
import type { JournalEvent } from "./events.js";
import type { EffectId, RunId } from "./ids.js";
import type { RunSummary } from "./run-state.js";

export type LogName = "stdout.log" | "stderr.log";

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
