/** What travels between the inbox's server and its pages about runs. Events are those of `@a5c-ai/babysitter-sdk/view`. */
import type { RunProblem } from "./inbox-wire.js";

/**
 * Where a run stands on the board. `you`: a question is open, or it needs a person for another reason. `working`: somebody
 * is at it. `waiting`: it sleeps, or waits for its next attempt or for quota. `stalled`: it could go on, and nobody is at it.
 */
export type Lane = "you" | "working" | "stalled" | "waiting" | "done";

/** One card of the board. */
export interface RunRow {
  /** By which pages call it: its name, or for a copy of a run elsewhere a name with a hash. */
  id: string;
  project: { name: string; root: string };
  process: string;
  /** Of a loop: the first line of its goal. */
  title: string | null;
  lane: Lane;
  state: string;
  /** How it ended: on whose word it has finished, or that it has not; null while it goes on. */
  outcome: "verified" | "proof" | "claim" | "failed" | "cancelled" | null;
  /** Why it stands where it stands, in one line. */
  why: string;
  createdAt: string;
  lastEventAt: string;
  /** Since when it stands there. */
  since: string;
  /** Of a run that waits for time: until when. */
  until: string | null;
  /** Open questions, the oldest first. */
  questions: { id: string; title: string }[];
  events: number;
  iteration: number | null;
  maxIterations: number | null;
  spend: { usd: number | null; knownUsd: number; tokens: number } | null;
  budgetUsd: number | null;
  agent: boolean;
}

/** `GET /api/runs?search=…&process=…&project=…&state=…&day=2026-11-17&after=…&limit=…`: the newest of each lane first. */
export interface RunList {
  runs: RunRow[];
  /** For more of the lane `done`, as `after`. */
  next: string | null;
  /** How many match, by lane. */
  counts: Record<Lane, number>;
  /** How many of those in the lane `done` have failed. */
  failed: number;
  /** What there is to filter by. `project` is a root. */
  processes: string[];
  projects: { name: string; root: string }[];
  unreadable: RunProblem[];
}

/** A command with when to type it, what it does, or why there is nothing else to do. */
export interface NextWay {
  command: string;
  when?: string;
  does?: string;
  because?: string;
}

export interface RunDetail {
  id: string;
  project: { name: string; root: string };
  process: string;
  state: string;
  /** Why it stands where it stands, in words. */
  why: string;
  /** What gets it on, the first choice first; empty when there is nothing to do. */
  ways: NextWay[];
  /** Who works on it just now, such as `process 4711`; null when nobody does. */
  drivenBy: string | null;
  createdAt: string;
  lastEventAt: string;
  events: number;
  /** The run belongs to a session of an agent. */
  agent: boolean;
  forkedFrom: { run: string; at: number } | null;
  error: { message: string; code?: string; stack?: string } | null;
  /** What it returned, as JSON, up to a length; null while it has not. */
  output: string | null;
  loop: LoopView | null;
  /** Why it can be looked at but not changed. */
  readOnly: string | null;
  /** The folder of the run, on the server's machine. */
  runDir?: string;
  /** How often its process has been replayed. */
  iterationCount?: number;
  /** Null for what is possible now, otherwise why not, in words; missing where nothing can be changed. */
  can?: Record<RunChange["change"], string | null>;
  /** Missing when its code has not changed since it began. `lastDiff` is one of its files. */
  codeChanges?: { count: number; files: string[]; lastAt: string; lastDiff: string; text: string };
  /** Of a failed run: the step that it has failed on; missing when it was none. */
  failing?: FailingStep;
}

export interface FailingStep {
  effectId: string;
  title: string;
  kind: string;
  attempt: number;
  at: string;
  message: string;
  code?: string;
  exitCode?: number;
  signal?: string;
  /** `file:line:column` of the call in the process. */
  location?: string;
  /** The last lines that it has printed, at most 30 of each. */
  stdout: string[];
  stderr: string[];
  /** Its logs, as files of the run. */
  logs: string[];
}

/** The loop of a run: what was agreed on, and how far it is. */
export interface LoopView {
  title: string;
  goal: string;
  outcome: string;
  message: string | null;
  iteration: number;
  maxIterations: number;
  spend: { usd: number | null; knownUsd: number; tokens: number } | null;
  budgetUsd: number | null;
  criteria: CriterionView[];
  contractChanges: { at: string; text: string }[];
}

export interface CriterionView {
  id: string;
  text: string;
  command: string | null;
  view: string;
  /** The newest check: when, on which tree, with which end, and its last lines. */
  check: { at: string; tree: string; exitCode: number | null; tail: string } | null;
}

/** `GET /api/runs/:id/events?after=0`: at most some thousand at once; ask again after the last one until `total` is reached. */
export interface EventPage<Event = unknown> {
  events: Event[];
  total: number;
}

/** `GET /api/runs/:id/integrity` */
export interface IntegrityView {
  ok: boolean;
  events: number;
  signed: number;
  findings: { file: string; problem: string; harmless: boolean }[];
}

/** `GET /api/runs/:id/files` */
export interface RunFileList {
  files: {
    /** `diff`: how the code of the process changed, as a unified difference. */
    kind: "log" | "artifact" | "evidence" | "diff";
    path: string;
    bytes: number;
    modifiedAt: string;
    effectId?: string;
  }[];
  /** There are too many to list all. */
  more: boolean;
}

/** `GET /api/runs/:id/transcripts`: of the agents that worked on the run, each followed by its subagents. */
export interface TranscriptList {
  transcripts: { id: string; session: string; subagent?: string; bytes: number }[];
}

/** `GET /api/runs/:id/transcript?of=…&from=0` */
export interface TranscriptPage {
  entries: TranscriptLine[];
  /** Where to read on, in bytes; null when there is nothing more now. */
  next: number | null;
  size: number;
}

/** What was said or done, by whom. */
export interface TranscriptLine {
  /** `prompt`: what the agent was told; a host does not say whether a person or a program wrote it. */
  who: "prompt" | "agent" | "tool";
  at: string | null;
  /** The tool that is called; the text is its input. What it answers comes from the tool, without a name. */
  name: string | null;
  text: string;
  /** More was said than is shown. */
  cut: boolean;
  /** The tool has failed, or was not allowed. */
  failed?: true;
}

/** `POST /api/runs/:id/change`; answers how the run stands now. */
export type RunChange =
  | { change: "cancel" | "pause"; reason?: string }
  | { change: "resume" }
  | { change: "retry"; step?: string }
  | { change: "fork"; at: number };

export interface RunChanged {
  run: RunDetail;
  /** Of a fork: the new run. */
  forked?: string;
}
