/** What a task definition may say, for authors and their editors. At run time nothing of it is taken on trust. */
import type { BreakpointResult } from "../model/breakpoint-result.js";
import type { TaskKind } from "../model/task-kinds.js";
import type { SectionField, TaskField } from "../model/task-words.js";

/** Whatever JSON it may be: nobody has said what it looks like. */
// oxlint-disable-next-line typescript/no-explicit-any -- as with JSON.parse, `unknown` would make every use a cast
export type Anything = any;

/** A task as data: what is to be done, by which kind of worker. */
export type TaskDef = ShellTask | NodeTask | AgentTask | SkillTask | OtherTask;

/** What a shell task resolves to. */
export interface ShellResult {
  /** The exit code was 0. Always true without `allowFailure`, because a failed command throws. */
  success: boolean;
  /** Null if a signal ended the command. */
  exitCode: number | null;
  signal: string | null;
  /** The last 256 KiB of each stream. */
  stdout: string;
  stderr: string;
  /** There was more; the logs have it. */
  truncated?: true;
}

/** Optional fields. Undefined is as good as absent: JSON knows no difference. */
export type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/** Fields that all kinds of tasks have. */
interface TaskFields
  extends Optional<{
    id: string;
    name: string;
    title: string;
    description: string;
    label: string;
    labels: readonly string[];
    /** How often and when to try again; a number is the number of attempts. */
    retry: number | RetryFields;
    /** Milliseconds; 0 for no limit. */
    timeoutMs: number;
    timeout: number;
    metadata: object;
    io: object;
    source: unknown;
    inputSchema: object;
    outputSchema: object;
  }> {}

interface RetryFields
  extends Optional<{
    /** How often the task may be tried in all. */
    attempts: number;
    /** Milliseconds before the second attempt; each further pause is `factor` times as long. */
    backoffMs: number;
    factor: number;
    maxBackoffMs: number;
    /** What to try again: `failed`, `timed-out`, `exit:<code>`, error codes, error names; everything if omitted. */
    on: readonly string[];
    /** False: an interrupted attempt fails with TASK_INTERRUPTED instead of being restarted. */
    interrupted: boolean;
  }> {}

type Argument = string | number | boolean;

/** Fields of every section that starts a program. */
interface ProgramFields
  extends Optional<{
    /** Environment variables. Those whose names look like secrets are recorded by name only. */
    env: Readonly<Record<string, Argument | null | undefined>>;
    /** Names of secrets that the task needs. */
    secretEnv: readonly string[];
    /** Relative to the project root. */
    cwd: string;
    /** Milliseconds; 0 for no limit. */
    timeoutMs: number;
    timeout: number;
  }> {}

interface CommandFields extends ProgramFields {
  args?: readonly Argument[] | undefined;
  /** Text for stdin. */
  stdin?: string | undefined;
}

interface NodeSection extends CommandFields {
  /** The file to run, relative to the project root or else to the folder of the process file. */
  entry: string;
}

interface ShellFields extends CommandFields {
  /** Alone a command line for /bin/sh; with `args` a program. */
  command?: string | undefined;
  /** A program and its arguments. */
  argv?: readonly Argument[] | undefined;
  /** A failed command returns instead of throwing. */
  allowFailure?: boolean | undefined;
}

/** A command line, or the fields of one. */
type ShellSection = string | (ShellFields & ({ command: string } | { argv: readonly Argument[] }));

/** Anything else in it is told to the agent too. */
type AgentSection = ProgramFields &
  Optional<{
    name: string;
    prompt: string | object;
    role: string;
    task: string;
    context: unknown;
    instructions: string | readonly string[];
    outputFormat: unknown;
    /** JSON Schema of the answer. */
    outputSchema: object;
    model: string;
  }> & { [field: string]: unknown };

type ExecutionFields = Optional<{ model: string; cwd: string; timeoutMs: number; timeout: number }> & {
  [field: string]: unknown;
};

type ShellTask = { shell: ShellSection } & TaskFields & Optional<{ kind: "shell"; node: never; agent: never }>;

type NodeTask = { node: NodeSection } & TaskFields & Optional<{ kind: "node"; shell: never; agent: never }>;

/** Carried out by an agent, which is told every field that is not for whoever starts it. */
type AgentFields = TaskFields &
  Optional<{ model: string; cwd: string; execution: ExecutionFields; shell: never; node: never }> & {
    [field: string]: unknown;
  };

type AgentTask = AgentFields &
  (({ kind: "agent" } & Optional<{ agent: string | AgentSection }>) | { kind?: never; agent: AgentSection });

type SkillTask = AgentFields &
  (({ kind: "skill" } & Optional<{ skill: string | AgentSection }>) | { kind?: never; skill: AgentSection });

/** A question, a sleep, or a kind of one's own, which has none of the sections that only built-in kinds have. */
type OtherTask = { kind: string } & TaskFields &
  Optional<{ shell: never; node: never; agent: never }> & { [field: string]: unknown };

/** What an inferred definition must at least look like. The literal kinds keep inferred ones literal. */
export type TaskShape = TaskFields &
  Optional<{
    kind: TaskKind | (string & {});
    shell: ShellSection;
    node: NodeSection;
    agent: string | AgentSection;
    skill: string | AgentSection;
    execution: ExecutionFields;
  }>;

/** A definition of which nothing was inferred. */
export type AnyTask = TaskShape & { [field: string]: unknown };

declare const REASON: unique symbol;

/** The type of a mistake: no value has it, and the compiler prints its reason. */
interface Mistake<Reason extends string> {
  readonly [REASON]: Reason;
}

/**
 * What an inferred definition must be besides its own type: itself, with a {@link Mistake} at each place that has one.
 * The compiler forgets the literal kinds of async builders, so that a misspelt one is only found at run time.
 */
export type Verdict<Task> = Task extends Promise<infer Promised> ? Promise<Judged<Promised>> : Judged<Task>;

/** One by one, where a builder returns several: a good one must not make up for a bad one. */
type Judged<Task> = Task extends unknown
  ? Task &
      OnKind<Task> &
      OnCase<Task> &
      OnSection<Task, "shell", Same<keyof ShellFields, SectionField<"shell">, keyof ShellFields>> &
      OnSection<Task, "node", Same<keyof NodeSection, SectionField<"node">, keyof NodeSection>> &
      OnSection<Task, "retry", Same<keyof RetryFields, SectionField<"retry">, keyof RetryFields>>
  : never;

/** Compiles only if the fields described here are the ones that the engine knows. */
type Same<Described, Known extends Described, Again extends Known> = Again;

/** Kinds that other programs have sections for. */
type OutsideKind = "orchestrator_task";

type OnKind<Task> = Task extends { kind: infer Kind }
  ? string extends Kind
    ? unknown
    : Kind extends "shell"
      ? { shell: ShellSection }
      : Kind extends "node"
        ? { node: NodeSection }
        : Kind extends TaskKind | OutsideKind
          ? unknown
          : Task extends { shell: unknown } | { node: unknown } | { agent: unknown }
            ? { kind: Mistake<"only the kinds shell, node and agent have such a section"> }
            : unknown
  : unknown;

type OnCase<Task> = {
  [Field in keyof Task as Field extends TaskField
    ? never
    : Field extends string
      ? string extends Field
        ? never
        : Lowercase<Field> extends Lowercase<TaskField>
          ? Field
          : never
      : never]: Mistake<`${Field & string} differs only in case from a field of tasks`>;
};

/** Of sections that only the engine reads, it knows every field. */
type OnSection<Task, Name extends string, Known> = Task extends { [N in Name]?: infer Section }
  ? [Section] extends [never]
    ? unknown
    : Section extends object
      ? {
          [N in Name]?: {
            [Field in Exclude<keyof Section, Known>]?: Mistake<`${Name} has no field ${Field & string}`>;
          };
        }
      : unknown
  : unknown;

/** What `ctx.task` resolves to for a definition. */
export type ResultOf<Task> = Task extends { shell: unknown }
  ? ShellResult
  : Task extends { kind: "breakpoint" }
    ? BreakpointResult
    : Anything;
