/** What the driver knows of whoever executes a task. */
import type { RecordedError } from "../model/errors.js";
import type { AttemptEnd, ProcessGroupRef } from "../model/events.js";
import type { EffectId, RunId } from "../model/ids.js";
import type { Json, JsonObject } from "../model/json.js";

/** One attempt at a task. */
export interface Work {
  runId: RunId;
  effectId: EffectId;
  invocationKey: string;
  taskId: string;
  kind: string;
  attempt: number;
  title?: string;
  definition: JsonObject;
  args: Json;
}

/** Where the work is done; all paths absolute. */
export interface WorkPlace {
  projectRoot: string;
  /** Folder of the process file. */
  processDir: string;
  runDir: string;
  /** Folder of the effect's own files: logs, input, output. */
  taskDir: string;
}

/** When and how an attempt went, apart from what came out of it. */
export interface WorkFacts {
  startedAt: string;
  finishedAt: string;
  durationMs: number;
  exitCode?: number | null;
  signal?: string | null;
  /** Paths relative to the run directory. */
  stdoutRef?: string;
  stderrRef?: string;
  /** Anything else worth keeping, such as processes that had to be ended. */
  notes?: JsonObject;
}

export type WorkResult =
  | { status: "ok"; value: Json; facts: WorkFacts }
  | {
      status: "error";
      reason: AttemptEnd;
      error: RecordedError;
      /** Trying again cannot help: the definition itself is wrong. */
      permanent?: boolean;
      /** The machine had no room for another process just now; nothing has been begun. */
      noRoom?: boolean;
      facts: WorkFacts;
    };

/** A running attempt. */
export interface RunningWork {
  /** Missing when nothing was started. */
  readonly group: ProcessGroupRef | undefined;
  /** Never rejects. */
  readonly result: Promise<WorkResult>;
  /** Ends everything that belongs to it; a second call does not wait for the grace period. */
  stop(reason: string): Promise<void>;
  /** Tells the newest line of output; returns a function that ends the subscription. */
  onOutput(listener: (line: string) => void): () => void;
}

export interface Executor {
  readonly name: string;
  readonly kinds: readonly string[];
  /** Throws nothing: what goes wrong is in the result. */
  begin(work: Work, place: WorkPlace): RunningWork;
}
