/** Payloads of the events that a loop writes into the journal of its run. */
import type { DirectoryRef, ProcessGroupRef, StoredValue } from "./events.js";
import type { LoopContract, LoopLimits } from "./loop-contract.js";
import type { ChangeSource } from "./who-may-decide.js";

interface LoopStarted {
  contract: LoopContract;
  /** The prompt, byte for byte. */
  goal: StoredValue;
  /** First iteration; more than 1 for a loop that was taken over. */
  iteration: number;
}

export interface SessionBound {
  harness: string;
  sessionId: string;
  /** How it came to the run; `return`: the same session continues in a new process, however its last turn ended. */
  by: "start" | "resume" | "adoption" | "return";
  /** A command starts its turns one by one, and nobody else does: with this mode of permissions, where one was asked for. */
  driver?: { permissionMode?: string };
  /** Of a session that has taken the run from another one. */
  source?: ChangeSource;
}

interface SessionReleased {
  sessionId: string;
  reason: string;
  /** Of a person who has taken the run from the session. */
  source?: ChangeSource;
}

/** What a loop had achieved when a turn ended; two equal ones mean that nothing happened in between. */
export interface ProgressSample {
  at: string;
  /** Hash of the working tree, where it was taken. */
  tree?: string;
  /** Journal events that the work itself has caused. */
  work: number;
  /** Ids of criteria whose newest result is red; missing when none was checked. */
  failing?: string[];
  /** Signatures of the failures, without what differs from run to run. */
  signatures?: string[];
  /** How many failures the criteria have counted together. */
  failures?: number;
  stepsDone: number;
  /** Tool calls in the turn; missing when that cannot be known. */
  tools?: number;
  /** Length of the turn. */
  seconds: number;
}

/** Tokens of a session, and what they cost at list prices; usd is null when a price is not known, or no call was found. */
export interface Spend {
  usd: number | null;
  /** What the known models cost. */
  knownUsd: number;
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
  calls: number;
  unpriced: string[];
  /** Date of the price table. */
  pricedAt: string;
}

/** One decision at the end of a turn. The first seven fields are those that scripts know. */
export interface StopHookInvoked {
  sessionId: string;
  iteration: number;
  decision: "block" | "approve";
  /** Code of the rule that decided. */
  reason: string;
  runState: string;
  pendingKinds: string;
  hasPromise: boolean;
  timestamp: string;
  /** Iteration from here on. */
  nextIteration: number;
  /** Whose turn ended, as far as the host says: two hooks for one stop count once. */
  turn?: { promptId?: string; key?: string };
  /** What the agent was told. */
  told?: string;
  /** What the agent said about being done or blocked. */
  claim?: string;
  blocked?: string;
  sample?: ProgressSample;
  spend?: Spend;
  denied?: number;
  /** Circuit breaker that warns with this decision. */
  warned?: string;
  /** Questions that the agent was asked to put to a human with this decision. */
  asked?: string[];
  /** A claim that was found wrong. */
  rejected?: boolean;
  /** The loop is paused from here on, and this is what the user was told. */
  paused?: string;
  /** The loop has reached its goal: verified by the engine, by completion proof, or by the agent's claim only. */
  ended?: Attestation;
}

/** On whose word a loop has ended. */
export type Attestation = "verified" | "proof" | "claim";

/** Work of several criteria, in a program of its own. */
export interface VerificationStarted {
  verification: string;
  criteria: string[];
  tree: string;
  host: string;
  group: ProcessGroupRef;
  /** The directory of the run that it was started for. */
  dir?: DirectoryRef;
  /** No agent was working on the tree: the loop was paused or had no session. */
  alone: boolean;
}

export interface VerificationFinished {
  verification: string;
  outcome: "done" | "lost" | "stopped";
}

/** A result that the engine has seen with its own eyes. */
export interface CriterionChecked {
  verification: string;
  criterion: string;
  /** What was checked; a result that comes after the criterion was amended is about something else. */
  text?: string;
  ok: boolean;
  kind: "command" | "file";
  /** Why it is red, in a word: the exit code says no, it took too long, it could not be started, the file is not there. */
  outcome: "met" | "unmet" | "timed-out" | "not-started";
  exitCode: number | null;
  signal: string | null;
  durationMs: number;
  /** Hash of the tree before and after. */
  before: string;
  after: string;
  alone: boolean;
  /** Files that were written while it ran, when it left another tree; the first few. */
  written?: string[];
  /** The last lines of both streams. */
  tail: string;
  /** Failure lines without what differs from run to run, hashed. */
  signature?: string;
  /** Number of failures, where the output tells. */
  failures?: number;
  /** Log of the whole output, relative to the run directory. */
  evidence?: string;
  outputSha256?: string;
  /** It was red and green on the same tree. */
  flaky: boolean;
  at: string;
}

/** What kind of error a step met; what follows from it is a rule of the decision table. */
export type ErrorClass = "transient" | "logic" | "blocking" | "unknown";

export interface StepChanged {
  step: string;
  title: string;
  status: "open" | "done" | "failed";
  errorClass?: ErrorClass;
  note?: string;
  by: "agent" | "person";
}

export interface LoopPaused {
  /** Code of the rule, or `by_request`. */
  code: string;
  message: string;
  /** `session-file`: someone, whoever it was, has written `active: false` there. */
  by: "engine" | "person" | "agent" | "session-file";
  source?: ChangeSource;
}

interface LoopResumed {
  by: "person" | "agent";
  /** Limits from here on, where they were raised with it. */
  limits?: Partial<LoopLimits>;
  source?: ChangeSource;
}

interface LoopAmended {
  /** What changed, in words. */
  what: string;
  contract: LoopContract;
  by: "person";
  source?: ChangeSource;
}

export interface PromptSubmitted {
  sessionId: string;
  promptId?: string;
  /**
   * Typed while the agent worked, typed after it was interrupted, typed after the host had ended the turn by itself,
   * or the beginning of a turn.
   */
  kind: "steering" | "interruption" | "cut" | "turn" | "notification";
}

/** A turn that ended with an error of the host, such as one of the model's API, and not with a stop. */
export interface TurnFailed {
  sessionId: string;
  promptId?: string;
  /** The host's word for it, such as `rate_limit`. */
  error: string;
  message: string;
  /** Names the report of the host: the same one counts once. */
  report: string;
  /** Who started the host for this turn has recorded it; what the host itself reports of it is no news then. */
  by?: "driver";
  /** When the next turn is tried, where someone is there to do so. */
  retryAt?: string;
}

interface EngineError {
  where: string;
  code: string;
  message: string;
}

interface ProcessAttached {
  processId: string;
  entry: { path: string; export: string };
  inputs: StoredValue;
  codeHash: string;
  processRevision?: string;
  request?: string;
  /** Files and gates of the code: a `CodeManifest`. */
  manifest?: StoredValue;
}

export interface LoopEventPayloads {
  LOOP_STARTED: LoopStarted;
  PROCESS_ATTACHED: ProcessAttached;
  SESSION_BOUND: SessionBound;
  SESSION_RELEASED: SessionReleased;
  STOP_HOOK_INVOKED: StopHookInvoked;
  VERIFICATION_STARTED: VerificationStarted;
  VERIFICATION_FINISHED: VerificationFinished;
  CRITERION_CHECKED: CriterionChecked;
  STEP_CHANGED: StepChanged;
  LOOP_PAUSED: LoopPaused;
  LOOP_RESUMED: LoopResumed;
  LOOP_AMENDED: LoopAmended;
  PROMPT_SUBMITTED: PromptSubmitted;
  TURN_FAILED: TurnFailed;
  ENGINE_ERROR: EngineError;
}
