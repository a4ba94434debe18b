import type { BreakpointResult } from "../model/breakpoint-result.js";
import type { HookResult } from "../model/ports.js";
import type { Parallel } from "./parallel.js";
import type { DefinedTask, TaskDef } from "./task-definition.js";

/** Options of a single request. */
export interface RequestOptions {
  /** Shown to people next to the task. */
  label?: string;
}

/** What a human is asked. */
export interface BreakpointPayload {
  question?: string;
  title?: string;
  /** What the person should see: texts and files. */
  context?: object;
  /** Choices to offer besides yes and no. */
  options?: unknown[];
  [field: string]: unknown;
}

/** Options of {@link ProcessContext.breakpoint}. */
export interface BreakpointOptions extends RequestOptions {
  /** `throw` a BreakpointRejectedError at the call, or `return` the answer and trust the process to look at it. */
  onReject?: "throw" | "return";
  [field: string]: unknown;
}

/** Options of {@link ProcessContext.hook}. */
export interface HookOptions extends RequestOptions {
  /** Throw when a hook fails, instead of answering `success: false`. */
  throwOnFailure?: boolean;
  [field: string]: unknown;
}

/** The second argument of every process: its only way to have effects. */
export interface ProcessContext {
  readonly runId: string;
  readonly runDir: string;
  readonly artifactsDir: string;
  /** Asks for a task and waits for its result; throws when the task failed. */
  task<Args, Result = unknown>(task: DefinedTask<Args, Result>, args?: Args, options?: RequestOptions): Promise<Result>;
  task<Result = unknown>(task: TaskDef, args?: unknown, options?: RequestOptions): Promise<Result>;
  /** Asks a human and waits for the answer. */
  breakpoint(payload: BreakpointPayload | string, options?: BreakpointOptions): Promise<BreakpointResult>;
  /** Waits until a point in time, over any number of restarts. */
  sleepUntil(time: Date | string | number, options?: RequestOptions): Promise<void>;
  /** Waits for a number of milliseconds from now. */
  sleep(ms: number, options?: RequestOptions): Promise<void>;
  readonly parallel: Parallel;
  /** Runs lifecycle hooks once and answers what they said. */
  hook(hookType: string, payload?: unknown, options?: HookOptions): Promise<HookResult>;
  /** Writes a line to the journal, once however often the process is replayed. */
  log(...message: unknown[]): void;
  /** The time of the last thing that happened in this run. */
  now(): Date;
  /** True on the new path of changed code; runs that are already past this place stay on the old one. */
  patched(id: string): boolean;
}
