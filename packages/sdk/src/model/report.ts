/** What happened in a time, run by run, and in sums that add up. */
import type { Attestation } from "./loop-events.js";
import type { TurnFailure } from "./loop-state.js";
import type { RunStatus } from "./run-state.js";

/**
 * How a run stands at the end of a report: what went wrong, whom it waits for, or on whose word it has finished. `other`:
 * it works, sleeps, or waits for someone who is not the reader.
 */
export type RunOutcome = "failed" | "blocked" | "you" | "other" | Attestation | "cancelled";

/** Every outcome, in the order in which reports tell them. */
export const OUTCOMES = [
  "failed",
  "blocked",
  "you",
  "other",
  "verified",
  "proof",
  "claim",
  "cancelled",
] as const satisfies readonly RunOutcome[];

/** Which run is meant: names are unique in a project only. */
export interface RunName {
  runId: string;
  /** The folder of its project, in a report about several. */
  project?: string;
}

export interface WaitingFor {
  kind: string;
  who: "human" | "agent" | "time" | "executor";
  what: string;
  /** Of a question that has one: its heading. */
  title?: string;
  since: string;
  effectId: string;
}

/** What was used within the time of the report. What is not known is never counted as nothing. */
export interface ReportedCost {
  /** At list prices, as far as it is known; null when nothing is. */
  usd: number | null;
  tokens: number | null;
  /** Turns at the end of which nothing, or not everything, was found that they cost. */
  unknownTurns?: number;
  /** Agents worked on tasks of the run, and nobody noted what that cost. */
  unknownTasks?: true;
}

/** A change of what was agreed on, within the time of the report. */
export interface ReportedChange {
  at: string;
  /** Unknown in old journals. */
  by?: string;
  via?: string;
  /** Such as `limit iterations: 10 → 50`. */
  terms: string[];
}

/** One run in a report. */
export interface RunReport extends RunName {
  runDir: string;
  processId: string;
  /** Of a loop: the first line of its goal. */
  title?: string;
  state: RunStatus;
  outcome: RunOutcome;
  /** When it came to stand there. */
  at: string;
  /** Why it failed, was cancelled or is paused. */
  why?: string;
  /** The code of the rule that has paused it. */
  pausedBy?: string;
  /** What has paused it, such as a limit, was lifted meanwhile. */
  limitLifted?: boolean;
  /** Which of the report's causes it failed for. */
  cause?: number;
  waiting?: WaitingFor[];
  /** Of a run that could continue: whether anyone is working on it, where that is known. */
  driven?: boolean;
  /** What stands behind `--agent` in the command that drives it. */
  agent?: string;
  /** That the code of its process changed after it began, in words. */
  codeChanges?: string;
  contractChanges?: ReportedChange[];
  humanMs: number;
  failedAttempts: number;
  /** Turns of the run's agent that ended with an error of its host, and the last of them. */
  failedTurns?: { count: number; last: TurnFailure };
  /** Missing when no agent worked on it. */
  cost?: ReportedCost;
}

/** Why runs failed or are blocked: told once, however many they are. */
export interface FailureCause {
  /** In one line. */
  what: string;
  /** The step that failed, if it was one, and the end of what it printed, in the newest of these runs. */
  step?: string;
  lines: string[];
  /** Its logs, relative to the directory of that run. */
  logs?: string[];
  /** The newest first. */
  runs: RunName[];
}

export interface CostTotal {
  /** The sum of what is known of the runs; null when nothing is. */
  usd: number | null;
  tokens: number | null;
  /** How many runs are in that sum, and how many have used something that is not. */
  knownRuns: number;
  unknownRuns: number;
  unknownTurns: number;
}

/** The sums of a report. */
export interface ReportTotals {
  runs: number;
  /** They add up to `runs`. */
  outcomes: Record<RunOutcome, number>;
  cost: CostTotal;
  /** The sum over all runs; where several waited at once, that time is in it several times. */
  humanMs: number;
  /** The time in which at least one run waited. */
  humanWallMs: number;
  failedAttempts: number;
  failedTurns: number;
  contractChanges: number;
  /** Runs whose code changed. */
  codeChanges: number;
}

/** A run, or the newest run of the same process, that went from one side to the other. */
export interface TurnedRun extends RunName {
  processId: string;
  was: RunOutcome;
  is: RunOutcome;
  /** The run that it is compared with, if that is another one. */
  before?: string;
}

/** The same time before this one. */
export interface ReportedBefore {
  since: string;
  until: string;
  totals: ReportTotals;
  /** What failed or was blocked then, and has finished. */
  recovered: TurnedRun[];
  /** What worked or finished then, and has failed or is blocked. */
  broken: TurnedRun[];
}

export interface NextStep {
  command: string;
  about: string;
  /** What the command is about, for whoever can show it otherwise. */
  run: RunName;
  effectId?: string;
}

/** What happened in a span of time, in all runs that it is about. */
export interface Report {
  since: string;
  until: string;
  finished: RunReport[];
  failed: RunReport[];
  waiting: RunReport[];
  cancelled: RunReport[];
  causes: FailureCause[];
  /** Time in which runs could not continue because nobody had answered. */
  humanWaitMinutes: number;
  failedAttempts: number;
  failedTurns: number;
  totals: ReportTotals;
  against: ReportedBefore;
  /** What someone could do, the most urgent first. */
  next: NextStep[];
  /** Runs that cannot be read, where there are any. */
  unreadable?: { runId: string; runDir: string; why: string }[];
}

/** All runs of a report. */
export function rowsOf({ failed, waiting, finished, cancelled }: Report): RunReport[] {
  return [...failed, ...waiting, ...finished, ...cancelled];
}

export function isRed(outcome: RunOutcome): outcome is "failed" | "blocked" {
  return outcome === "failed" || outcome === "blocked";
}

export function isFinishedWell(outcome: RunOutcome): outcome is Attestation {
  return outcome === "verified" || outcome === "proof" || outcome === "claim";
}

/** It could continue, and nobody drives it. */
export function isLeftAlone({ outcome, driven, state, title, agent }: RunReport): boolean {
  const isOurs = title === undefined || agent !== undefined;
  return outcome === "other" && driven !== true && state !== "paused" && isOurs;
}
