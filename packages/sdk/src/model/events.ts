import type { FileChange, Gate, GatesPolicy } from "./code-versions.js";
import type { RecordedError } from "./errors.js";
import type { HookOutcome, MergedHookResult } from "./hook-types.js";
import type { EffectId, RunId } from "./ids.js";
import type { Json, JsonObject } from "./json.js";
import type { LoopEventPayloads } from "./loop-events.js";
import type { RunPlace } from "./run-places.js";
import type { ChangeSource, DecisionWay } from "./who-may-decide.js";

/** Version of the event format. A reader that meets a higher one reads but does not append. */
export const EVENT_FORMAT = 1;
/** Version of the rules of replay, recorded in RUN_CREATED; old runs keep the rules they began with. */
export const REPLAY_SEMANTICS = 2;
/** Values up to this many bytes of JSON live in the event; larger ones become blobs. */
export const INLINE_LIMIT = 64 * 1024;

/** A value in the journal: inline, or a reference to a blob named by its hash. */
export type StoredValue = { value: Json } | { blob: string; bytes: number };

/** Names of the payload fields that hold a {@link StoredValue}. */
export const STORED_FIELDS = ["inputs", "definition", "args", "result", "output", "goal", "manifest", "diff"] as const;

/** What RUN_CREATED says about the process. */
export interface RunCreated {
  runId: RunId;
  processId: string;
  /** Path relative to the project root, and the export's name; empty in a loop that has no process yet. */
  entry: { path: string; export: string };
  /** The project root, relative to the run directory. */
  projectRoot: string;
  inputs: StoredValue;
  codeHash: string;
  semantics: number;
  /** What random numbers grow from; a fork keeps the seed of its original. */
  seed: string;
  processRevision?: string;
  request?: string;
  prompt?: string;
  harness?: string;
  session?: string;
  pluginRoot?: string;
  /** Files and gates of the code: a `CodeManifest`. */
  manifest?: StoredValue;
  /** Recorded where the settings pin the gates of every run. */
  gates?: GatesPolicy;
  /** The run and event that this one is a copy of. */
  forkedFrom?: { runId: RunId; at: number };
  /** Where it was created. */
  place?: RunPlace;
}

export interface EffectRequested {
  kind: string;
  scope: string;
  /** Hash of the canonical arguments, with the run's id and all its places up to here masked. */
  argsHash: string;
  /** Sequence number of the last resolution delivered before the request was issued. */
  after: number;
  iteration: number;
  definition: StoredValue;
  args: StoredValue;
  /** Variables that the definition names as secrets, however large it is. */
  secretEnv?: string[];
  title?: string;
  label?: string;
  labels?: string[];
  /** Where the process asked, `file:line:column`. */
  location?: string;
  /** For sleeps: when it ends, by the clock of whoever recorded the request. */
  until?: string;
  /** For sleeps that were asked for as a time span: how long. */
  sleepMs?: number;
  /** Where the run is now, if the journal did not know that yet. */
  place?: RunPlace;
  /** The process's own timers that fired between the request recorded before and this one, in their order. */
  fired?: TimerFiring[];
  /** Made this many milliseconds after anything was seen that could lead to it. */
  late?: number;
  /** Of a request that takes the place of an earlier one, after EFFECT_RETRIED: the attempt that is open now. */
  attempt?: number;
}

/** A timer of the process that fired, once or several times in a row. */
export interface TimerFiring {
  /** Sequence number of the last resolution delivered before. */
  after: number;
  /** The scope that set it, and the how manyth timer of that scope it is. */
  timer: string;
  times: number;
  /** Fired while other work of the process was under way, when this many pieces of it had ended in the turn. */
  during?: number;
}

export interface EffectResolved {
  status: "ok" | "error";
  attempt: number;
  /** Who resolved it: a post, or the engine itself (a due sleep, a lifecycle hook). */
  by: "post" | "engine";
  result?: StoredValue;
  error?: RecordedError;
  startedAt?: string;
  finishedAt?: string;
  stdoutRef?: string;
  stderrRef?: string;
  metadata?: Json;
  /** Where the run is now, if the journal did not know that yet. */
  place?: RunPlace;
}

/** Names a process group beyond the life of whoever started it. */
export interface ProcessGroupRef {
  /** Pid of the leader, which is the id of the group too. */
  pid: number;
  /** On Linux `<clock ticks since boot>@<boot id>`; elsewhere the start time as `ps` prints it. */
  startTime: string;
  /** In the environment of every member, and of those that have left the group. */
  marker: string;
  /** On Linux, the PID namespace in which the pid means something. */
  namespace?: string;
  /** Derived from the id of the machine, where it has one. */
  machine?: string;
}

/** Names the directory of a run, so that a copy of it is not mistaken for it. */
export interface DirectoryRef {
  /** Where it was; it may have been moved since. */
  path: string;
  device: string;
  inode: string;
}

export interface EffectStarted {
  attempt: number;
  /** What executes it, such as `node`, `shell` or `agent`. */
  executor: string;
  /** The machine on which it runs. */
  host: string;
  /** Missing when it could not even be started. */
  group?: ProcessGroupRef;
  /** The directory of the run that it was started for. */
  dir?: DirectoryRef;
}

/** Why an attempt came to nothing: the task failed, took too long, or whoever ran it was stopped. */
export type AttemptEnd = "failed" | "timed-out" | "interrupted";

export interface EffectAttemptFailed {
  attempt: number;
  reason: AttemptEnd;
  error: RecordedError;
  /** Attempt that is open now. */
  nextAttempt: number;
  /** The next attempt waits until then. */
  notBefore?: string;
  startedAt?: string;
  finishedAt?: string;
}

interface EffectReopened extends EarlierRequest {
  /** Sequence number of the result that no longer counts. */
  resolution: number;
  until?: string;
  sleepMs?: number;
}

interface EffectRetried extends EarlierRequest {
  /** Sequence number of the result that no longer counts, and what it was; missing in a copy of a run that had none yet. */
  resolution?: number;
  status?: "ok" | "error";
  /** Of a question that had been decided: who has it asked again. */
  source?: ChangeSource;
}

/** What is known of a request whose result no longer counts. */
interface EarlierRequest {
  /** Attempt that is open now, or that the next request opens. */
  attempt: number;
  kind: string;
  requestSeq: number;
  requestId: string;
  requestedAt: string;
  label?: string;
  title?: string;
}

interface EffectDropped {
  iteration: number;
  requestSeq: number;
  requestId: string;
}

interface ClockSetBack {
  /** The latest time that an event before this one has. */
  newest: string;
  /** How far the clock went back, where a program saw it happen. */
  byMs?: number;
}

interface ProcessLogged {
  iteration: number;
  entries: LogEntry[];
}

export interface LogEntry {
  scope: string;
  /** The turn in which it was written. */
  after: number;
  message: string;
  label?: string;
  data?: Json;
}

interface RunCompleted {
  output: StoredValue;
  completionProof: string;
  iteration: number;
  /** Effects that were requested and never awaited. */
  abandoned: string[];
}

interface RunFailed {
  error: RecordedError;
  iteration: number;
  codeHash: string;
}

interface RunBlocked {
  /** The last process-side event at that moment; with the code hash it identifies the block. */
  processHead: number;
  codeHash: string;
  report: JsonObject;
  /** Why, if not because the code asked for something else than the journal says. */
  code?: "GATES_CHANGED";
  /** From the code that ran last to this one, as text. */
  diff?: StoredValue;
}

export interface CodeChanged {
  /** Hash of the code that ran before. */
  before: string;
  /** Hash of the code that runs from here on. */
  codeHash: string;
  files: FileChange[];
  /** Gates of the code that people agreed to, and that this one lacks. */
  lost: Gate[];
  /** Files and gates of the code: a `CodeManifest`. */
  manifest: StoredValue;
  /** What changed, as text. */
  diff: StoredValue;
}

export interface CodeAccepted {
  codeHash: string;
  /** What is different from the code that people agreed to before. */
  files: FileChange[];
  lost: Gate[];
  manifest: StoredValue;
  /** Who accepted it, and by which way. */
  by: string;
  via: DecisionWay;
}

export interface RunCancelled {
  reason?: string;
  by?: string;
  source?: ChangeSource;
}

interface HookDispatched {
  hookType: string;
  /** The effect that it was about. */
  about?: string;
  hooks: HookOutcome[];
  merged: MergedHookResult;
}

/** One file that the process wanted a human to look at, as it was when the question was asked. */
export interface ShownFile {
  path: string;
  format?: string;
  language?: string;
  sha256?: string;
  bytes?: number;
  /** Its content, as a JSON text in a blob. */
  blob?: string;
  /** The content is truncated after this many bytes. */
  cutAt?: number;
  /** Why it is not shown: missing, outside the project, secret, too large, not text. */
  refused?: string;
  /** What it is compared with; missing outside a repository. */
  base?: ShownBase;
}

/** A file as it is in a commit. */
export interface ShownBase {
  /** The revision that was asked for. */
  ref: string;
  commit?: string;
  sha256?: string;
  bytes?: number;
  /** Its content, as a JSON text in a blob. */
  blob?: string;
  /** Why there is no content: `missing` when the file is new since then. */
  refused?: string;
}

export interface BreakpointOpened {
  /** Hash over the question, the options and the hashes of the files: what a decision is about. */
  shown: string;
  files: ShownFile[];
}

export interface BreakpointCommented {
  text: string;
  author?: string;
  via: string;
  verified: boolean;
  /** What it is about: lines of one of the files, as it was shown, or as it is in what it is compared with. */
  path?: string;
  side?: "base";
  line?: number;
  endLine?: number;
  /** Those lines. */
  quote?: string;
}

/** Payload of every known event type. */
export interface EventPayloads extends LoopEventPayloads {
  RUN_CREATED: RunCreated;
  EFFECT_REQUESTED: EffectRequested;
  EFFECT_STARTED: EffectStarted;
  EFFECT_ATTEMPT_FAILED: EffectAttemptFailed;
  EFFECT_RESOLVED: EffectResolved;
  EFFECT_REOPENED: EffectReopened;
  EFFECT_RETRIED: EffectRetried;
  EFFECT_DROPPED: EffectDropped;
  PROCESS_LOGGED: ProcessLogged;
  PATCH_MARKED: { id: string; after: number; iteration: number };
  RUN_COMPLETED: RunCompleted;
  RUN_FAILED: RunFailed;
  RUN_REOPENED: { reason: "code-changed" | "retry" | "unblocked"; codeHash: string };
  RUN_BLOCKED: RunBlocked;
  CODE_CHANGED: CodeChanged;
  CODE_ACCEPTED: CodeAccepted;
  RUN_CANCELLED: RunCancelled;
  HOOK_DISPATCHED: HookDispatched;
  CLOCK_SET_BACK: ClockSetBack;
  BREAKPOINT_OPENED: BreakpointOpened;
  BREAKPOINT_COMMENTED: BreakpointCommented;
}

/** Name of a known event type. */
export type EventType = keyof EventPayloads;

export interface EventFrame {
  seq: number;
  /** ULID made of the previous event's time and checksum: the name of this event's place in the chain. */
  id: string;
  timestamp: string;
  /** Sequence number of the first event of the same append; absent when it was appended alone. */
  batch?: number;
  format: number;
  /** Version of the program that wrote the event. */
  writer: string;
  /** Checksum of the previous event; null for the first. */
  prev: string | null;
  checksum: string;
}

/** Events about an effect say which one. */
type EffectFields<T extends EventType> = T extends `EFFECT_${string}` | `BREAKPOINT_${string}`
  ? { effectId: EffectId; invocationKey: string; taskId: string }
  : { effectId?: never; invocationKey?: never; taskId?: never };

/** One event of a run's journal. */
export type JournalEvent = {
  [T in EventType]: EventFrame & EffectFields<T> & { type: T; payload: EventPayloads[T] };
}[EventType];

/** An event before the store gives it its place in the chain. */
export type EventDraft = {
  [T in EventType]: EffectFields<T> & { type: T; payload: EventPayloads[T]; timestamp: string };
}[EventType];

/** The place of an event in the chain; the head is the last one. */
export interface Head {
  seq: number;
  id: string;
  timestamp: string;
  checksum: string;
}

/** What a fold does with the types of events that it knows. */
export type EventFold<T> = {
  [K in keyof EventPayloads]?: (state: T, event: Extract<JournalEvent, { type: K }>) => void;
};

/** The place of an event, without the rest of it. */
export function headOf(event: Head): Head {
  return { seq: event.seq, id: event.id, timestamp: event.timestamp, checksum: event.checksum };
}
