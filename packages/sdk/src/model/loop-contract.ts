/** What a loop has agreed to: its goal, how it may end, and its limits. Fixed at the start; only a person amends it. */
import type { GatesPolicy } from "./code-versions.js";
import type { StoredValue } from "./events.js";

/** In-session prompt, a process run with completion proof, criteria, or a list of steps. */
export type LoopMode = "prompt" | "run" | "criteria" | "tasks";

interface CriterionBase {
  /** Short name, unique in the contract. */
  id: string;
  /** What it says, in words; for a command its command line. */
  text: string;
}

/** A command that the engine runs; exit code 0 means that the criterion is met. */
export interface CommandCriterion extends CriterionBase {
  kind: "command";
  command: string;
  timeoutMs: number;
  /** `fast` ones run after every turn, `slow` ones only when the agent says that it is done. */
  tier: "fast" | "slow";
  /** `must-not`: the loop is paused as soon as the command succeeds. */
  role: "required" | "must-not";
}

/** A file that must exist, and may have to contain a text. */
export interface FileCriterion extends CriterionBase {
  kind: "file";
  path: string;
  contains?: string;
}

/** Something that the engine cannot check; the agent's word is all there is. */
export interface ClaimCriterion extends CriterionBase {
  kind: "claim";
}

export type Criterion = CommandCriterion | FileCriterion | ClaimCriterion;

/** One unit of work. */
export interface StepSpec {
  id: string;
  title: string;
}

/** `tool`: clear enough to be left alone. `colleague`: a person reviews it from time to time. */
export type LoopShape = "tool" | "colleague";

/** Missing or 0: no such limit. */
export interface LoopLimits {
  iterations: number;
  usd?: number;
  tokens?: number;
  wallMs?: number;
  /** How many claims in a row may turn out wrong. */
  rejections: number;
  /** After how many iterations a person is to look in. */
  reviewEvery?: number;
}

/** Prices of a model in US dollars per million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
}

/** Something whose change by the agent would change what a criterion means. */
export interface ProtectedThing {
  /** A path relative to the project, or `package.json#scripts.test`. */
  name: string;
  sha256: string;
}

/** A loop that another tool began: what it was there still counts. */
export interface LoopOrigin {
  format: "session-file" | "loop-state" | "task-record";
  path: string;
  /** Of the task, in the tool that it comes from. */
  id?: string;
  startedAt?: string;
  /** Spent before it was taken over, in US dollars. */
  usd?: number;
}

export interface ContractSettings {
  answers: "open" | "bound";
  policy: string;
  prices: Record<string, ModelPrice>;
  /** False: `.loop/state.json` is not written. */
  stateFile?: boolean;
  /** Missing in contracts of versions that had no such setting: `bound`. */
  gates?: GatesPolicy;
}

export interface LoopContract {
  mode: LoopMode;
  /** First line of the goal, for people. */
  title: string;
  /** What the agent says when it is done; `issued` when the engine made it up. */
  promise: { text: string; issued: boolean };
  criteria: Criterion[];
  steps: StepSpec[];
  limits: LoopLimits;
  shape: LoopShape;
  /** Globs whose files must stay as they were. */
  protects: string[];
  protectedThings: ProtectedThing[];
  /** Settings as they were at the start; what the agent changes in the files later has no effect. */
  settings: ContractSettings;
  /** Variables that decide what a command does, as they were at the start; others are those of whoever checks. */
  environment?: Record<string, string>;
  /** The agent first writes a process for the task, and a person is asked before it is followed. */
  plan?: true;
  /** Where it was taken over from, and what it had used by then. */
  origin?: LoopOrigin;
}

/** The goal itself, byte for byte; kept apart because it may be large. */
export type StoredGoal = StoredValue;
