/** What a machine keeps of a run in files of its own, wherever the journal is. Only here runs have paths. */
import type { JournalEvent } from "./events.js";
import type { EffectId, RunId } from "./ids.js";
import type { RunSummary } from "./run-state.js";

export type LogName = "stdout.log" | "stderr.log";

/** The end of a log, and whether something before it was left out. */
export interface LogTail {
  text: string;
  /** Size of the whole log. */
  bytes: number;
  truncated: boolean;
}

/** The directory of a run. */
export interface Workspace {
  /** Absolute; of any run, also of one that is yet to be made. */
  runDir(runId: RunId): string;
  /** Folder of an effect's readable copies and logs. */
  taskDir(runId: RunId, effectId: EffectId): string;
  writeLog(runId: RunId, effectId: EffectId, name: LogName, content: Uint8Array): Promise<void>;
  readLog(runId: RunId, effectId: EffectId, name: LogName): Promise<string | undefined>;
  /** The last `maxBytes` of a log of an effect; undefined when there is none. */
  readLogTail(runId: RunId, effectId: EffectId, name: LogName, maxBytes: number): Promise<LogTail | undefined>;
  /** Every log of an effect with its size, paths relative to the run. */
  listLogs(runId: RunId, effectId: EffectId): Promise<{ file: string; bytes: number }[]>;
  /**
   * Writes readable copies of events, now or with the next flush. Those of others are only written where they
   * are missing: whoever appended the events may have died before.
   */
  showEvents(runId: RunId, events: readonly JournalEvent[], whose: "ours" | "others"): Promise<void>;
  /** Writes the readable copies that were put off; caches must never be ahead of them. */
  flushViews(runId: RunId): Promise<void>;
  /** Rewrites the readable copies of pending effects where they are missing. */
  restoreViews(runId: RunId, summary: RunSummary): Promise<void>;
}
