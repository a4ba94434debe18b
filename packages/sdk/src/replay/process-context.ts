import type { BreakpointResult } from "../model/breakpoint-result.js";
import type { HookResult } from "../model/ports.js";
import type { AnyTask, Anything, Optional, ResultOf, TaskDef, TaskShape, Verdict } from "./task-def.js";
import type { DefinedTask } from "./task-definition.js";

/** Options of a single request. */
export interface RequestOptions {
  /** Shown to people next to the task. */
  label?: string | undefined;
}

/** What a human is asked. */
export interface BreakpointPayload
  extends Optional<{
    question: string;
    title: string;
    /** What the person should see: `files` to review, and anything else as it is. */
    context: Optional<{ files: readonly (string | ReviewedFile)[] }> & { [fact: string]: unknown };
    /** Choices to offer besides yes and no. */
    options: readonly (string | AnswerChoice)[];
    /** `high` requires an identified person. */
    risk: "low" | "medium" | "high";
    /** What follows from each answer, for whoever decides. */
    consequences: Optional<{ approve: string; reject: string }>;
    /** As in {@link BreakpointOptions}. */
    onReject: OnReject;
  }> {}

/** `throw` a BreakpointRejectedError at the call, or `return` the answer and trust the process to look at it. */
type OnReject = "throw" | "return";

type ReviewedFile = {
  /** In the run directory, or else in the project. */
  path: string;
} & Optional<{
  format: string;
  language: string;
  /** Git revision to compare it with (default: HEAD). */
  base: string;
}>;

interface AnswerChoice
  extends Optional<{
    id: string;
    label: string;
    /** `danger`: choosing it is a rejection. */
    style: string;
    /** Choosing it is a rejection. */
    reject: boolean;
  }> {}

/** Options of {@link ProcessContext.breakpoint}. */
export interface BreakpointOptions extends RequestOptions {
  onReject?: OnReject | undefined;
  /** For programs that pass questions on: who should be asked, and how. */
  expert?: string | readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  strategy?: string | undefined;
}

/** Options of {@link ProcessContext.hook}. */
export interface HookOptions extends RequestOptions {
  /** Throw when a hook fails, instead of answering `success: false`. */
  throwOnFailure?: boolean | undefined;
}

type TaskArguments<Task> = [Task] extends [DefinedTask<infer Args>]
  ? undefined extends Args
    ? [args?: Args, options?: RequestOptions]
    : [args: Args, options?: RequestOptions]
  : [args?: unknown, options?: RequestOptions];

type TaskResult<Task> = Task extends DefinedTask<never, infer Result> ? Result : ResultOf<Task>;

/** A process: a plain async function. */
export type ProcessFunction<Inputs = Anything, Output = Anything> = (
  inputs: Inputs,
  ctx: ProcessContext,
) => Output | Promise<Output>;

/** Options of the parallel helpers. */
export interface ParallelOptions {
  /** How many branches may be open at the same time. */
  concurrency?: number;
  /** The same, under the name that existing processes use. */
  maxConcurrency?: number;
}

/** A branch: usually a function, but a running promise is accepted too. */
export type Branch<T> = (() => T | Promise<T>) | Promise<T>;

type Branches = readonly Branch<unknown>[] | [];
type BranchResult<B> = Awaited<B extends () => infer T ? T : B>;

/** `ctx.parallel`. */
export interface Parallel {
  /** Runs all branches and answers their results in order; throws the first failure in list order, after all have ended. */
  all<B extends Branches>(
    branches: B,
    options?: ParallelOptions,
  ): Promise<{ -readonly [I in keyof B]: BranchResult<B[I]> }>;
  /** The same with one function for many items. */
  map<I, T>(
    items: readonly I[],
    fn: (item: I, index: number) => T | Promise<T>,
    options?: ParallelOptions,
  ): Promise<T[]>;
  /** The branch that ends first decides; which one that was is fixed by the journal. */
  race<B extends Branches>(branches: B): Promise<BranchResult<B[number]>>;
  /** Runs all branches and answers how each ended. */
  settled<B extends Branches>(
    branches: B,
    options?: ParallelOptions,
  ): Promise<{ -readonly [I in keyof B]: PromiseSettledResult<BranchResult<B[I]>> }>;
}

/** What {@link ProcessContext.checkpoint} writes down. */
export interface Checkpoint {
  title?: string;
  message?: string;
  context?: unknown;
  [field: string]: unknown;
}

/** The second argument of every process: its only way to have effects. */
export interface ProcessContext {
  readonly runId: string;
  readonly runDir: string;
  readonly artifactsDir: string;
  /**
   * Asks for a task and waits for its result; throws when the task failed. What it resolves to is what the task says,
   * or what the call states: `ctx.task<{ files: string[] }>(…)`.
   */
  task<Result = never, Task extends DefinedTask | TaskShape = DefinedTask | TaskDef | AnyTask>(
    task: Task & (Task extends DefinedTask ? unknown : Verdict<Task>),
    ...args: TaskArguments<Task>
  ): Promise<[Result] extends [never] ? TaskResult<Task> : NoInfer<Result>>;
  /** Asks a human and waits for the answer. */
  breakpoint(payload: BreakpointPayload | string, options?: BreakpointOptions): Promise<BreakpointResult>;
  /** Waits until a point in time, over any number of restarts. */
  sleepUntil(time: Date | string | number, options?: RequestOptions): Promise<void>;
  /** Waits for a number of milliseconds from now. */
  sleep(ms: number, options?: RequestOptions): Promise<void>;
  readonly parallel: Parallel;
  /** Runs lifecycle hooks once and answers what they said. */
  hook(hookType: string, payload?: unknown, options?: HookOptions): Promise<HookResult>;
  /**
   * Says that the process does not need this result: the run completes only after the work has ended, and names it
   * if it fails.
   */
  detach(work: PromiseLike<unknown>): void;
  /** Writes a line to the journal, once however often the process is replayed. */
  log(...message: unknown[]): void;
  /** Writes a milestone to the journal: its title as the label of a line, with data beside it. */
  checkpoint(checkpoint: Checkpoint): void;
  /** The time of the last thing that happened in this run. */
  now(): Date;
  /** True on the new path of changed code; runs that are already past this place stay on the old one. */
  patched(id: string): boolean;
}
