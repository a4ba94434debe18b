import { AsyncLocalStorage } from "node:async_hooks";

/** What code of a process sees of the world around it. */
export interface ProcessWorld {
  /** What the random numbers of this run grow from. */
  readonly seed: string;
  /** Milliseconds of the deterministic clock. */
  nowMs(): number;
  /** A failure outside the process's own promise: a callback that threw, process.exit. */
  fail(error: unknown): void;
  /** Promises that were rejected while nobody was looking. */
  readonly rejections: { overlook(promise: Promise<unknown>, reason: unknown): void; lookAt(promise: object): void };
  /** Work outside the journal that the process has started. */
  foreign: ForeignWork;
}

/** What has been started and may still call back. */
export interface ForeignWork {
  started(asyncId: number, type: string, resource: object, scope: Scope): void;
  /** Atomics.waitAsync waits, at most so long. */
  waits(promise: Promise<unknown>, ms: number): void;
}

/** A branch of a process: requests are numbered inside it, so branches never disturb one another. */
export interface Scope {
  readonly world: ProcessWorld;
  /** Empty for the process itself, `par1[0]/` for the first branch of its first parallel call. */
  readonly path: string;
  parallels: number;
  logs: number;
  /** How many timers its code has set. */
  timers: number;
  random: (() => number) | undefined;
}

export const scopes = new AsyncLocalStorage<Scope>();

/** A scope below another one. */
export function makeScope(world: ProcessWorld, path: string): Scope {
  return { world, path, parallels: 0, logs: 0, timers: 0, random: undefined };
}
