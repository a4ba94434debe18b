/** What a driver tells whoever looks on. Views are made from this and from nothing else. */
import type { ExitName } from "../model/error-codes.js";
import type { JournalEvent } from "../model/events.js";
import type { Failure } from "../model/failure.js";
import type { Json, JsonObject } from "../model/json.js";
import type { RunStatus } from "../model/run-state.js";

export type Progress =
  | { type: "opened"; run: OpenedRun }
  /** Everything in the journal, in order: first what was there, then what comes. */
  | { type: "event"; event: JournalEvent; past: boolean }
  /** The newest line of a running task. */
  | { type: "output"; effectId: string; line: string }
  /** A line that the process itself has printed. */
  | { type: "printed"; line: string }
  /** Useful information that is not an event, such as a restart because the code changed. */
  | { type: "notice"; text: string }
  | { type: "ended"; ending: Ending };

export interface OpenedRun {
  runId: string;
  /** How to name it in commands that the user can copy. */
  name: string;
  runDir: string;
  processId: string;
  /** `path#export`. */
  entry: string;
  /** False when this driver has just created it. */
  resumed: boolean;
  /** Another program drives it. */
  watched?: boolean;
  createdAt: string;
}

/** How driving ended; the run itself may continue later. */
export interface Ending {
  state: RunStatus | "interrupted" | "error";
  exit: ExitName;
  /** Why, in one sentence. */
  why: string;
  /** What the user can do now: commands with a word about each. */
  next: { command: string; about: string }[];
  output?: Json;
  completionProof?: string;
  error?: JsonObject;
  /** The effects that a failed run ended on. */
  failures?: Failure[];
  /** Effects that wait for input from outside. */
  waitingFor: { effectId: string; kind: string; title: string; question?: string }[];
}

/** A question to a human, as the process asked it. */
export interface Question {
  effectId: string;
  title: string | undefined;
  question: string;
  /** Labels to choose from; empty for a plain yes or no. */
  options: string[];
  context: Json;
  risk?: string;
  /** The name of the run, where only who types it decides. */
  confirm?: string;
}

/** What the human said; undefined means no answer and leaves the question open. */
export type Answer = { approved: boolean; option?: string; feedback?: string; confirmed?: true } | undefined;

/** What became of an answer: it was recorded, or does not count. */
export type Settled = { approved: boolean } | { refused: string };

/** Someone who can be asked. `signal` ends the question when it was answered elsewhere; `settle` records the answer. */
export type Asker = (
  question: Question,
  signal: AbortSignal,
  settle: (answer: Exclude<Answer, undefined>) => Promise<Settled>,
) => Promise<Answer>;

/** Shows what happens, and asks the person who looks on where there is one. */
export interface ProgressView {
  take(progress: Progress): void;
  /** Someone to ask, if there is a terminal with a person at it. */
  readonly asker: Asker | undefined;
  /** Leaves the last picture; nothing is shown afterwards. */
  close(): void;
}
