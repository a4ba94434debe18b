/** What travels between the inbox's server and its pages about what happened while nobody looked. */

/** `GET /api/report?since=` */
export interface NightReport {
  since: string;
  until: string;
  /** Nothing failed, and nothing waits for anyone. */
  quiet: boolean;
  runs: number;
  /** How many of each kind, in words. */
  counts: string;
  /** What went wrong, each cause once, the newest first. */
  causes: ReportedCause[];
  unreadable: { run: string; why: string }[];
  /** What waits for the reader, what goes on by itself, what has finished and what was cancelled. */
  lists: ReportedList[];
  /** The sums, in words. */
  sums: { name: string; text: string }[];
  changes: { kind: "contract" | "code"; run: ReportedRun; text: string; at?: string }[];
  against: ReportedAgainst;
  /** What to do, the most urgent first. */
  next: ReportedStep[];
}

export interface ReportedRun {
  run: string;
  project: string;
}

export interface ReportedCause {
  outcome: "failed" | "blocked";
  what: string;
  step?: string;
  at: string;
  /** The end of what it printed. */
  lines: string[];
  /** All that failed for it, the newest first; of very many only some. */
  runs: ReportedRun[];
  count: number;
  command: string;
}

export interface ReportedList {
  /** `stalled` as on the board of runs. */
  kind: "you" | "stalled" | "other" | "verified" | "proof" | "claim" | "cancelled";
  rows: ReportedRow[];
  /** With those that are not in `rows`. */
  count: number;
}

export interface ReportedRow extends ReportedRun {
  at: string;
  text: string;
  /** What it cost, or that nobody knows. */
  cost?: string;
  /** The question that it waits with. */
  question?: string;
  command?: string;
}

interface ReportedAgainst {
  since: string;
  until: string;
  /** Nothing happened then. */
  isEmpty: boolean;
  /** Such as "failed 3 (1 before)". */
  changes: string[];
  broken: string[];
  recovered: string[];
}

export interface ReportedStep extends ReportedRun {
  command: string;
  about: string;
  question?: string;
}
