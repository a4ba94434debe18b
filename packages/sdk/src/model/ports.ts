/** What the use cases need from the world. Everything with files, clocks or child processes implements one of these. */
import type { RunCreated } from "./events.js";
import type { EffectId, RunId } from "./ids.js";
import type { Json } from "./json.js";
import type { CodeSnapshot, EventStore, Snapshots } from "./store.js";
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

/** Reads the files that a question is about. */
export interface ContextFiles {
  /** Paths are relative to the run directory, then to the project; nothing outside of both is read. */
  read(path: string, roots: { runDir: string; projectRoot: string }): Promise<ContextFile>;
  sha256(text: string): string;
}

/** A process entry on this machine. */
export interface EntryPoint {
  /** Absolute path of the file. */
  file: string;
  /** Name of the export; without one `process`, then `default`. */
  export?: string;
  /** Imports inside this folder belong to the code hash. */
  projectRoot: string;
}

/** The code of a process: hashing it is cheap, importing it is not. */
export interface ProcessCode {
  hash: string;
  snapshot(): CodeSnapshot;
  load(): Promise<LoadedProcess>;
}

export interface LoadedProcess {
  exportName: string;
  run: ProcessFunction;
}

/** A process: a plain async function. */
export type ProcessFunction = (inputs: unknown, ctx: unknown, extra?: unknown) => unknown;

/** Finds and imports process code. */
export interface ProcessLoader {
  /** `cacheDir` may hold what is known about unchanged files. */
  inspect(entry: EntryPoint, cacheDir: string | undefined): ProcessCode;
}

/** Where a run's code is on this machine. */
export interface CodePlace extends EntryPoint {
  cacheDir: string;
}

/** Everything the use cases work with. */
export interface Ports {
  /** A path without symbolic links, where there are such things. */
  realPath?(path: string): string;
  /** Finds the entry of an existing run. */
  locate(runDir: string, created: RunCreated): CodePlace;
  store: EventStore;
  /** Without caches every command folds the whole journal. */
  snapshots?: Snapshots;
  workspace: Workspace;
  /** Absent where the store looks after its runs itself. */
  upkeep?: Upkeep;
  clock: Clock;
  loader: ProcessLoader;
  hooks: HookRunner;
  /** Random hexadecimal text. */
  randomHex(bytes: number): string;
  /** Who works on a run: at most one driver, and at most one driver of an agent. */
  leases: Readonly<Record<"driver" | "agent", Leases>>;
}

/** Who drives a run, as far as one can know from outside. */
export interface LeaseHolder {
  pid: number;
  /** When that process began, so that a reused pid is not taken for it. */
  startTime: string;
  host: string;
  /** In the environment of everything that the holder starts. */
  nonce: string;
}

export interface LeaseRecord extends LeaseHolder {
  epoch: number;
  released: boolean;
  /** When it was taken or renewed. */
  at: string;
  /** Earlier holders that were cut off; what they have started may still run until the holder has looked. */
  unsettled?: LeaseHolder[];
}

/** `previous`: whose lease ended before, released or not. */
export type LeaseAnswer =
  | { taken: true; epoch: number; previous: LeaseRecord | undefined }
  | { taken: false; by: LeaseRecord };

/** At most one holder per run. */
export interface Leases {
  /** `isGone` judges a holder that has not released its lease. */
  take(runId: RunId, holder: LeaseHolder, isGone: (other: LeaseRecord) => boolean): Promise<LeaseAnswer>;
  /** False when the lease is no longer this one. */
  renew(runId: RunId, epoch: number): Promise<boolean>;
  release(runId: RunId, epoch: number): Promise<void>;
  holder(runId: RunId): Promise<LeaseRecord | undefined>;
}
