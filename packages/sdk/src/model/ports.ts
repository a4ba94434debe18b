/** What the use cases need from the world. Everything with files, clocks or child processes implements one of these. */
import type { CodeReading, GatesPolicy } from "./code-versions.js";
import type { DirectoryRef, RunCreated } from "./events.js";
import type { EffectId, RunId } from "./ids.js";
import type { Json } from "./json.js";
import type { EventStore, RunNotes, Snapshots } from "./store.js";
import type { Upkeep } from "./upkeep.js";
import type { Workspace } from "./workspace.js";

/** The time of day. */
export interface Clock {
  now(): Date;
}

/** A lifecycle hook's combined answer, as ctx.hook returns it. */
export interface HookResult {
  hookType: string;
  success: boolean;
  output?: Json;
  error?: string;
  executedHooks: string[];
}

/** Runs lifecycle hooks. */
export interface HookRunner {
  run(call: { runId: RunId; hookType: string; payload: Json; effectId: EffectId }): Promise<HookResult>;
}

/** A file as a person is shown it, or why it is not shown. `sha256` and `bytes` are those of the whole file. */
export type ContextFile =
  | { text: string; sha256: string; bytes: number; cutAt?: number }
  | { refused: string; sha256?: string; bytes?: number };

/** A file as it is in a git revision. */
export type BaseFile = ContextFile & { ref: string; commit?: string };

/** Where the files of a question are. */
export interface ContextRoots {
  runDir: string;
  projectRoot: string;
  /** The process of the run. */
  entry?: string;
}

/** Reads the files that a question is about. */
export interface ContextFiles {
  /**
   * Paths are relative to the run directory, then to the project; nothing outside both is read. `code/main.js` means
   * the process of the run, `entry`, unless there is a file of that name.
   */
  read(path: string, roots: ContextRoots): Promise<ContextFile>;
  /** The same files as they are in a git revision; undefined for those that no repository could have. */
  bases(files: readonly { path: string; ref: string }[], roots: ContextRoots): Promise<(BaseFile | undefined)[]>;
  sha256(text: string): string;
}

/** A process entry on this machine. */
export interface EntryPoint {
  /** Absolute path of the file. */
  file: string;
  /** Name of the export; without one `process`, then `default`. */
  export?: string;
  /** Imports inside this folder are part of the code hash. */
  projectRoot: string;
  /** Version of the replay rules of the run; it also says which imports the code hash follows. The newest if missing. */
  semantics?: number;
}

/** The code of a process: hashing it is cheap, importing it is not. */
export interface ProcessCode {
  hash: string;
  /** What is there now, which may be later than `hash`. */
  snapshot(): CodeReading;
  load(): Promise<LoadedProcess>;
}

export interface LoadedProcess {
  /** Of the code that was loaded: files may have changed since they were inspected. */
  hash: string;
  exportName: string;
  run: ProcessFunction;
  /** What the file exports as `inputSchema`: a JSON Schema, if it is anything. */
  inputSchema?: unknown;
}

/** A process as the engine calls it. */
export type ProcessFunction = (inputs: unknown, ctx: unknown, extra?: unknown) => unknown;

/** Finds and imports process code. */
export interface ProcessLoader {
  /** `cacheDir` may hold a cache for unchanged files. */
  inspect(entry: EntryPoint, cacheDir: string | undefined): ProcessCode;
}

/** Where a run's code is on this machine. */
export interface CodePlace extends EntryPoint {
  cacheDir: string;
}

/** What is wrong with inputs, or why the schema itself cannot be used. */
export type InputProblems = { problems: string[] } | { unusable: string };

/** Everything the use cases work with. */
export interface Ports {
  /** Resolves symbolic links, where the platform has them. */
  realPath?(path: string): string;
  /** Finds the entry of an existing run. */
  locate(runDir: string, created: RunCreated): CodePlace;
  store: EventStore;
  /** Without caches every command folds the whole journal. */
  snapshots?: Snapshots;
  /** Without notes every listing opens every run. */
  notes?: RunNotes;
  workspace: Workspace;
  /** Absent if the store maintains its runs itself. */
  upkeep?: Upkeep;
  clock: Clock;
  loader: ProcessLoader;
  hooks: HookRunner;
  /** Random hexadecimal text. */
  randomHex(bytes: number): string;
  /** What the settings of a project say about gates, for runs that begin there. */
  gatesPolicy?(projectRoot: string): GatesPolicy;
  /** Kinds of tasks that the settings of a project declare. */
  taskKinds?(projectRoot: string): readonly string[];
  /** Checks inputs against the schema that a process exports. Without it no inputs are checked. */
  checkInputs?: (schema: Json, inputs: Json) => Promise<InputProblems>;
  /** Who is working on a run: at most one driver, and at most one driver of an agent. */
  leases: Readonly<Record<"driver" | "agent", Leases>>;
}

/** Who drives a run, as seen from outside. */
export interface LeaseHolder {
  pid: number;
  /** When that process started, so that a reused pid is not mistaken for it. */
  startTime: string;
  host: string;
  /** In which PID namespace, on which machine, as far as that is known. */
  namespace?: string;
  machine?: string;
  /** The directory that the lease is about: a copy of it has copied the lease. */
  dir?: DirectoryRef;
  /** Set in the environment of everything that the holder starts. */
  nonce: string;
  /** Only executes tasks and calls their hooks, and ends after that; the process is somebody else's. */
  role?: "tasks";
}

export interface LeaseRecord extends LeaseHolder {
  epoch: number;
  released: boolean;
  /** When it was taken or renewed. */
  at: string;
  /** Earlier holders that lost the lease; what they started may still be running until the new holder has checked. */
  unsettled?: LeaseHolder[];
}

/** `previous`: the lease before this one, released or not. */
export type LeaseAnswer =
  | { taken: true; epoch: number; previous: LeaseRecord | undefined }
  | { taken: false; by: LeaseRecord };

/** At most one holder per run. */
export interface Leases {
  /** `isGone` decides whether a holder that has not released its lease is dead. */
  take(runId: RunId, holder: LeaseHolder, isGone: (other: LeaseRecord) => boolean): Promise<LeaseAnswer>;
  /** False when someone else has taken the lease. */
  renew(runId: RunId, epoch: number): Promise<boolean>;
  release(runId: RunId, epoch: number): Promise<void>;
  holder(runId: RunId): Promise<LeaseRecord | undefined>;
}
