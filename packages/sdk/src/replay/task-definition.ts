import { BabysitterError } from "../model/errors.js";
import { isJsonObject, type Json, type JsonObject, toJson } from "../model/json.js";
import { isSecretName } from "../model/secrets.js";
import { kindsFor } from "../model/task-kinds.js";
import { wordMistakes } from "../model/task-words.js";
import type { AnyTask, Anything, ResultOf, TaskDef, TaskShape, Verdict } from "./task-def.js";

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
  /** An agent task: title, schemas and the like go beside `agent`, everything else into it. */
  agent: (task: { title?: string; prompt?: unknown; [field: string]: unknown }) => TaskDef;
}

/** Options of {@link defineTask}. */
export interface DefineTaskOptions {
  description?: string;
  labels?: readonly string[];
  kind?: string;
  [field: string]: unknown;
}

/** Only types know it: what a task resolves to. */
declare const RESULT: unique symbol;

/** A reusable task: an id, and a function from arguments to its definition. */
export interface DefinedTask<Args = Anything, Result = Anything> {
  readonly id: string;
  readonly build: (args: Args, context: TaskContext) => TaskDef | Promise<TaskDef>;
  readonly [RESULT]?: Result;
}

/** What a builder returns. */
type Built = (TaskShape & object) | Promise<TaskShape & object>;

/** What a defined task resolves to: what its author has stated, or else what its definition says. */
type Stated<Result, Task> = [Result] extends [never] ? ResultOf<Awaited<Task>> : Result;

/**
 * Names a task and says how to build its definition from arguments. The builder runs once per request,
 * when it is first made; replays read the journal instead. Types of arguments and results are inferred
 * from the builder, or stated: `defineTask<{ target: string }, { files: string[] }>("build", …)`.
 */
export function defineTask<Args = Anything, Result = never, Task extends Built = AnyTask | Promise<AnyTask>>(
  id: string,
  build: (args: Args, context: TaskContext) => Task & Verdict<Task>,
  options: DefineTaskOptions = {},
): DefinedTask<Args, Stated<Result, Task>> {
  if (typeof id !== "string" || id.trim() === "") throw invalid("defineTask needs a non-empty string as id.");
  if (typeof build !== "function")
    throw invalid(`defineTask("${id}") needs a function that builds the task definition.`);
  const plain = build as (args: Args, context: TaskContext) => unknown as DefinedTask<Args>["build"];
  const withOptions = async (args: Args, context: TaskContext): Promise<TaskDef> =>
    Object.assign({ ...options }, await plain(args, context));
  const isPlain = Object.keys(options).length === 0;
  return Object.freeze({ id, build: isPlain ? plain : withOptions });
}

/** Fields that belong to a task and not to its agent. */
const TASK_FIELDS = new Set(
  "kind id title description labels metadata io inputSchema outputSchema retry timeout timeoutMs execution cwd".split(
    " ",
  ),
);

/** See {@link TaskContext.agent}. */
export function agentDefinition(fields: Readonly<Record<string, unknown>>): TaskDef {
  const entries = Object.entries(fields);
  return {
    kind: "agent",
    ...Object.fromEntries(entries.filter(([name]) => TASK_FIELDS.has(name))),
    agent: Object.fromEntries(entries.filter(([name]) => !TASK_FIELDS.has(name))),
  };
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
export function plainTaskId(task: AnyTask): string {
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
  sleepMs: number | undefined;
}

/** Checks what a builder returned. */
export function checkDefinition(taskId: string, definition: unknown): Definition {
  const json = toJson(definition, `The definition of task "${taskId}"`);
  if (!isJsonObject(json))
    throw invalid(
      `Task "${taskId}" must be an object with a kind, such as { kind: "node", node: { entry: "./build.js" } }.`,
    );
  const kind = kindOf(json);
  if (kind === undefined) {
    const [mistake] = wordMistakes(json);
    throw invalid(`Task "${taskId}" ${mistake?.problem ?? 'has no kind, such as "node", "shell" or "agent".'}`);
  }
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
    sleepMs: kind === "sleep" ? spanOf(json["sleep"]) : undefined,
  };
}

/** Kinds that a definition may name by the section it has. */
const KINDS = kindsFor("engine", "agent", "person", "time");

function kindOf(task: AnyTask): string | undefined {
  if (typeof task.kind === "string" && task.kind !== "") return task.kind;
  return KINDS.find((kind) => isJsonObject(task[kind]));
}

function sleepEnd(sleep: Json | undefined): string | undefined {
  if (!isJsonObject(sleep)) return undefined;
  const time = sleep["targetEpochMs"] ?? sleep["iso"];
  const date = new Date(typeof time === "number" || typeof time === "string" ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function spanOf(sleep: Json | undefined): number | undefined {
  return isJsonObject(sleep) && typeof sleep["ms"] === "number" ? sleep["ms"] : undefined;
}

/**
 * Variables whose names look like secrets are kept by name, beside those that the author has named; whoever executes
 * the task looks them up.
 */
function withoutSecrets(definition: JsonObject): JsonObject {
  const sections = Object.entries(definition).map(([name, section]): [string, Json] => [
    name,
    isJsonObject(section) ? withoutSecretEnv(section) : section,
  ]);
  return withoutSecretEnv(Object.fromEntries(sections));
}

function withoutSecretEnv(section: JsonObject): JsonObject {
  const { env, secretEnv: named = [] } = section;
  const { found, rest } = secretsIn(env);
  if (found.length === 0) return section;
  // What is no list is left for the executor to refuse.
  const secretEnv = Array.isArray(named) ? [...new Set([...named, ...found])] : named;
  return { ...section, env: rest, secretEnv };
}

function secretsIn(env: Json | undefined): { found: string[]; rest: JsonObject } {
  const entries = isJsonObject(env) ? Object.entries(env) : [];
  return {
    found: entries.map(([name]) => name).filter(isSecretName),
    rest: Object.fromEntries(entries.filter(([name]) => !isSecretName(name))),
  };
}

/** What a definition is known by: in runs of version 1 without the names that its author gave beside found ones. */
export function identityOf(definition: JsonObject, semantics: number): JsonObject {
  if (semantics >= 2) return withoutSecrets(definition);
  const result: JsonObject = { ...definition };
  for (const part of kindsFor("engine", "agent")) {
    const section = result[part];
    if (!isJsonObject(section)) continue;
    const { found, rest } = secretsIn(section["env"]);
    if (found.length > 0) result[part] = { ...section, env: rest, secretEnv: found };
  }
  return result;
}

function invalid(message: string): BabysitterError {
  return new BabysitterError("TASK_INVALID", message);
}
