import type { ProcessGroupRef } from "../model/events.js";

/** What is needed to run one child process. */
export interface SpawnRequest {
  /** A program and its arguments, or a command line for `/bin/sh -c`. */
  argv: [string, ...string[]] | { commandLine: string };
  cwd: string;
  /** The complete environment; nothing is inherited. Only the marker is added to it. */
  env: Record<string, string>;
  /** What the child reads from stdin; without it stdin is /dev/null. */
  stdin?: string | Uint8Array;
  /** Absolute paths of the logs, made at the start with mode 0600, with up to two folders above them. */
  stdoutFile: string;
  stderrFile: string;
  /** How much each log keeps: the first half and the last half of it. */
  outputLimitBytes?: number;
  /** After this time everything is stopped; without it the child may run forever. */
  timeoutMs?: number;
  /** Time between SIGTERM and SIGKILL. */
  graceMs?: number;
  /** Unique to this spawn, without white space. Descendants are known by it. */
  marker: string;
  /** Values that must not get into logs, progress lines and messages. */
  secrets?: string[];
  /** Processes that outlive the child may keep running. A timeout or a stop still ends them. */
  leaveRunning?: boolean;
  /** Everything is ended when this program is killed; without it, whoever finds the reference to the group does that. */
  endWithUs?: boolean;
}

/** Half of it for the head of a log, half for its tail. */
export const DEFAULT_OUTPUT_LIMIT = 16 * 1024 * 1024;
export const DEFAULT_GRACE_MS = 2000;

/** How a spawn ended: by the child itself, by its timeout, by a stop, or it never began. */
export type SpawnOutcome = "exited" | "timed-out" | "stopped" | "not-started";

/** One log after the end. */
export interface StreamSummary {
  /** Bytes that were printed. */
  bytes: number;
  /** The log has a gap in the middle. */
  truncated: boolean;
  /** Why the log is incomplete, such as a full disk. */
  writeError?: SpawnProblem;
}

export interface SpawnProblem {
  code: string;
  message: string;
}

/** The outcome of a spawn; plain JSON. */
export interface SpawnResult {
  exitCode: number | null;
  signal: string | null;
  outcome: SpawnOutcome;
  startError?: SpawnProblem;
  /** What the caller of stop() gave as the reason. */
  stopReason?: string;
  startedAt: string;
  /** When the child exited; ending what it left behind may have taken longer. */
  finishedAt: string;
  durationMs: number;
  stdout: StreamSummary;
  stderr: StreamSummary;
  /** Processes that had left the child's group and were found by the marker. */
  escapees: number;
  /** Processes that could not be ended, for instance because they belong to another user. */
  survivors: number;
}

/** A running child process. */
export interface RunningProcess {
  /** Missing when the child was not started. */
  readonly pid: number | undefined;
  readonly group: ProcessGroupRef | undefined;
  /** Never rejects. Comes when the child has exited and whatever it left behind is ended. */
  readonly result: Promise<SpawnResult>;
  /** Ends everything; a second call does not wait for the grace period. Resolves with the result. */
  stop(reason: string): Promise<void>;
  /**
   * Tells the newest line whenever there is output, at most once per piece read. The listener must
   * not throw. Returns a function that ends the subscription.
   */
  onOutput(listener: (lastLine: string) => void): () => void;
  /** The last few kilobytes of both streams, as they came. */
  tail(): string;
}
