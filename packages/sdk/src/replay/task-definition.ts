import { BabysitterError } from "../model/errors.js";
import { isJsonObject, type Json, type JsonObject, toJson } from "../model/json.js";
import { isSecretName } from "../model/secrets.js";
import { kindsFor } from "../model/task-kinds.js";

/** A task as data: what is to be done, by which kind of worker. */
export interface TaskDef {
  kind?: string;
  id?: string;
  name?: string;
  title?: string;
  description?: string;
  labels?: string[];
  node?: {
    entry: string;
    args?: string[];
    env?: Record<string, string>;
    cwd?: string;
    timeout?: number;
    timeoutMs?: number;
  };
  shell?: {
    command?: string;
    args?: string[];
    env?: Record<string, string>;
    cwd?: string;
    timeout?: number;
    timeoutMs?: number;
    allowFailure?: boolean;
  };
  agent?: object;
  skill?: object;
  breakpoint?: object;
  sleep?: { iso?: string; targetEpochMs?: number };
  metadata?: object;
  io?: object;
  inputSchema?: object;
  outputSchema?: object;
  [field: string]: unknown;
}

/** What a task's builder is told about the request it builds for. */
export interface TaskContext {
  effectId: string;
  invocationKey: string;
  taskId: string;
  runId: string;
  runDir: string;
  taskDir: string;
  tasksDir: string;
  label: string | undefined;
  labels: string[];
  /** Stores a value beside the run under its hash and answers a reference to it. */
  createBlobRef(name: string, value: unknown): Promise<{ name: string; blobRef: string; bytes: number }>;
  toTaskRelativePath(path: string): string;
}

/** Options of {@link defineTask}. */
export interface DefineTaskOptions {
  description?: string;
  labels?: string[];
  kind?: string;
  [field: string]: unknown;
}

/** A reusable task: an id, and a function from arguments to its definition. */
export interface DefinedTask<Args = unknown, _Result = unknown> {
  readonly id: string;
  readonly build: (args: Args, context: TaskContext) => TaskDef | Promise<TaskDef>;
}

/**
 * Names a task and says how to build its definition from arguments. The builder runs once per request,
 * when it is first made; replays read the journal instead.
 */
export function defineTask<Args = unknown, Result = unknown>(
  id: string,
  build: (args: Args, context: TaskContext) => TaskDef | Promise<TaskDef>,
  options: DefineTaskOptions = {},
): DefinedTask<Args, Result> {
  if (typeof id !== "string" || id.trim() === "") throw invalid("defineTask needs a non-empty string as id.");
  if (typeof build !== "function")
    throw invalid(`defineTask("${id}") needs a function that builds the task definition.`);
  const withOptions = async (args: Args, context: TaskContext): Promise<TaskDef> => ({
    ...options,
    ...(await build(args, context)),
  });
  const isPlain = Object.keys(options).length === 0;
  return Object.freeze({ id, build: isPlain ? build : withOptions });
}

/** True for what {@link defineTask} of any copy of this SDK returns. */
export function isDefinedTask(task: unknown): task is DefinedTask {
  return (
    typeof task === "object" &&
    task !== null &&
    typeof (task as DefinedTask).build === "function" &&
    typeof (task as DefinedTask).id === "string"
  );
}

/** The id of a plain-object task: its own, or one that its content suggests. */
export function plainTaskId(task: TaskDef): string {
  for (const name of [task.id, task.name, task.title]) if (typeof name === "string" && name.trim() !== "") return name;
  const kind = kindOf(task) ?? "task";
  const entry = task.node?.entry;
  return typeof entry === "string" ? `${kind}/${entry.split("/").pop() ?? entry}` : kind;
}

/** A checked definition: JSON, with a kind, and without secret values. */
export interface Definition {
  kind: string;
  json: JsonObject;
  title: string | undefined;
  labels: string[] | undefined;
  until: string | undefined;
}

/** Checks what a builder returned. */
export function checkDefinition(taskId: string, definition: unknown): Definition {
  const json = toJson(definition, `The definition of task "${taskId}"`);
  if (!isJsonObject(json))
    throw invalid(
      `Task "${taskId}" must be an object with a kind, such as { kind: "node", node: { entry: "./build.js" } }.`,
    );
  const kind = kindOf(json);
  if (kind === undefined) throw invalid(`Task "${taskId}" has no kind, such as "node", "shell" or "agent".`);
  const until = kind === "sleep" ? sleepEnd(json["sleep"]) : undefined;
  if (kind === "sleep" && until === undefined)
    throw invalid(`The sleep "${taskId}" needs a time: { sleep: { iso } } or { sleep: { targetEpochMs } }.`);
  const { title, labels } = json;
  return {
    kind,
    json: withoutSecrets({ ...json, kind }),
    title: typeof title === "string" ? title : undefined,
    labels: Array.isArray(labels) ? labels.map(String) : undefined,
    until,
  };
}

/** Kinds that a definition may name by the section it has. */
const KINDS = kindsFor("engine", "agent", "person", "time");

function kindOf(task: TaskDef): string | undefined {
  if (typeof task.kind === "string" && task.kind !== "") return task.kind;
  return KINDS.find((kind) => isJsonObject(task[kind]));
}

function sleepEnd(sleep: Json | undefined): string | undefined {
  if (!isJsonObject(sleep)) return undefined;
  const time = sleep["targetEpochMs"] ?? sleep["iso"];
  const date = new Date(typeof time === "number" || typeof time === "string" ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Environment variables that look like secrets are kept by name; whoever executes the task looks them up. */
export function withoutSecrets(definition: JsonObject): JsonObject {
  const result: JsonObject = { ...definition };
  for (const part of kindsFor("engine", "agent")) {
    const section = result[part];
    if (!isJsonObject(section) || !isJsonObject(section["env"])) continue;
    const env = Object.entries(section["env"]);
    const secretEnv = env.map(([key]) => key).filter(isSecretName);
    if (secretEnv.length === 0) continue;
    result[part] = { ...section, env: Object.fromEntries(env.filter(([key]) => !isSecretName(key))), secretEnv };
  }
  return result;
}

function invalid(message: string): BabysitterError {
  return new BabysitterError("TASK_INVALID", message);
}
