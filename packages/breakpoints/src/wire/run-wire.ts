/** What travels between the inbox's server and its pages about runs. Events are those of `@a5c-ai/babysitter-sdk/view`. */

export interface RunDetail {
  id: string;
  project: { name: string; root: string };
  process: string;
  state: string;
  /** Why it stands where it stands, in words. */
  why: string;
  /** The command that gets it on; null when there is nothing to do. */
  next: string | null;
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
    kind: "log" | "artifact" | "evidence";
    path: string;
    bytes: number;
    modifiedAt: string;
    effectId?: string;
  }[];
  /** There are too many to list all. */
  more: boolean;
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
  /** What to type, where nobody drives the run. */
  next: string | null;
}
