import { inspect } from "node:util";
import { toBreakpointResult } from "../model/breakpoint-result.js";
import { BabysitterError } from "../model/errors.js";
import { canonicalJson, defined, isJsonObject, type Json, toJson } from "../model/json.js";
import type { HookResult } from "../model/ports.js";
import { rejected } from "./breakpoint-answer.js";
import { callerLocation, type NewRequest } from "./call.js";
import { effectIdOf } from "./identity.js";
import type { Interpreter } from "./interpreter.js";
import { makeParallel } from "./parallel.js";
import type {
  BreakpointOptions,
  BreakpointPayload,
  HookOptions,
  ProcessContext,
  RequestOptions,
} from "./process-context.js";
import { makeScope, type Scope, scopes } from "./scope.js";
import {
  checkDefinition,
  type Definition,
  isDefinedTask,
  plainTaskId,
  type TaskContext,
  type TaskDef,
  withoutSecrets,
} from "./task-definition.js";

interface Ask {
  taskId: string;
  /** What identifies the request besides its place. */
  identity: unknown;
  /** What the worker gets. */
  args: unknown;
  label: string | undefined;
  build(context: TaskContext): unknown;
  /** Turns the recorded value into what the process gets. */
  receive(value: Json, at: string, place: { scope: string; invocationKey: string; kind: string }): unknown;
}

type AnyFunction = (...args: never[]) => unknown;

/** The ctx object of one process. */
export function makeContext(interpreter: Interpreter): ProcessContext {
  const { runId, runDir } = interpreter.options;
  const ask = (request: Ask, calledBy: AnyFunction): Promise<never> =>
    issue(interpreter, request, calledBy) as Promise<never>;
  const currentScope = (): Scope => {
    const scope = scopes.getStore();
    return scope?.world === interpreter ? scope : interpreter.root;
  };

  const context: ProcessContext = {
    runId,
    runDir,
    artifactsDir: `${runDir}/artifacts`,
    task: function task(definition: unknown, args?: unknown, options?: RequestOptions) {
      return ask(taskAsk(interpreter, definition, args, options), task);
    },
    breakpoint: function breakpoint(payload: BreakpointPayload | string, options: BreakpointOptions = {}) {
      return ask(breakpointAsk(interpreter, payload, options), breakpoint);
    },
    sleepUntil: function sleepUntil(time: Date | string | number, options?: RequestOptions) {
      const date = new Date(time);
      if (Number.isNaN(date.getTime())) return Promise.reject(invalidTime("ctx.sleepUntil", time));
      const until = date.toISOString();
      const build = (): object => sleepDefinition(date);
      return ask(
        { taskId: "sleep", identity: until, args: { until }, label: options?.label, build, receive: nothing },
        sleepUntil,
      );
    },
    sleep: function sleep(ms: number, options?: RequestOptions) {
      if (!Number.isFinite(ms)) return Promise.reject(invalidTime("ctx.sleep", ms));
      // Counted from the moment it is asked for, not from the last thing that happened.
      const build = (): object =>
        sleepDefinition(new Date(Math.max(interpreter.options.wallClock(), interpreter.nowMs()) + ms));
      return ask(
        { taskId: "sleep", identity: { ms }, args: { ms }, label: options?.label, build, receive: nothing },
        sleep,
      );
    },
    parallel: makeParallel({
      currentScope,
      branchesEnded: (parent, branches) => interpreter.unread.moveUp(parent, branches),
      branchesLost: (branches) => interpreter.unread.forget(branches),
    }),
    hook: function hook(hookType: string, payload?: unknown, options: HookOptions = {}) {
      return ask(hookAsk(hookType, payload, options), hook);
    },
    log: (...message) => interpreter.log(currentScope(), logEntry(message)),
    now: () => new Date(interpreter.nowMs()),
    patched: (id) => interpreter.patched(checkPatchId(id)),
  };
  return context;
}

function sleepDefinition(until: Date): object {
  return { kind: "sleep", sleep: { iso: until.toISOString(), targetEpochMs: until.getTime() } };
}

function invalidTime(call: string, time: unknown): BabysitterError {
  return new BabysitterError("TASK_INVALID", `${call} got ${JSON.stringify(time)}, which is not a time.`);
}

function nothing(): void {}

/** R1 R3: gives the call its identity at once, and a promise that settles when the journal says so. */
function issue(interpreter: Interpreter, request: Ask, calledBy: AnyFunction): Promise<unknown> {
  if (interpreter.over) return new Promise(() => undefined);
  const store = scopes.getStore();
  const scope = (store?.world === interpreter ? store : interpreter.root).path;
  let argsHash: string;
  try {
    argsHash = interpreter.hashArgs(canonicalJson(request.identity, `The arguments of "${request.taskId}"`));
  } catch (error) {
    return Promise.reject(error);
  }
  const overlooked = interpreter.unread.overlookedBy(scope);
  if (overlooked !== undefined) {
    interpreter.fail(overlooked);
    return Promise.reject(overlooked);
  }
  const known = interpreter.recorded.claim(scope, request.taskId, argsHash);
  if (known !== undefined) return settleLater(interpreter, request, known).promise;
  return issueNew(interpreter, request, {
    scope,
    argsHash,
    location: callerLocation(calledBy, interpreter.options.projectRoot),
  });
}

function issueNew(
  interpreter: Interpreter,
  request: Ask,
  call: { scope: string; argsHash: string; location: string | undefined },
): Promise<unknown> {
  const { taskId, label } = request;
  const key = interpreter.recorded.newKey(call.scope, taskId);
  const effectId = effectIdOf(interpreter.options.runId, key);
  const draft: NewRequest = {
    effectId,
    invocationKey: key,
    taskId,
    scope: call.scope,
    argsHash: call.argsHash,
    after: interpreter.turn,
    args: toJson(request.args, `The arguments of "${taskId}"`),
    kind: "",
    definition: null,
    ...defined({ label, location: call.location }),
  };
  const settled = settleLater(interpreter, request, draft);
  // A failed build settles the call; otherwise the journal does.
  interpreter.request(draft, define(interpreter, request, draft)).catch(settled.reject);
  return settled.promise;
}

type BuiltFields = Pick<NewRequest, "kind" | "definition" | "title" | "labels" | "until">;

/**
 * Runs the builder, in a scope of its own: replays leave it out, so it must not use up the random numbers
 * of the process.
 */
async function define(interpreter: Interpreter, request: Ask, draft: NewRequest): Promise<BuiltFields> {
  const scope = makeScope(interpreter, `${draft.invocationKey}#build/`);
  const built = scopes.run(scope, () => request.build(taskContext(interpreter, draft)));
  // What is there at once is taken at once, before the process can change it.
  return built instanceof Promise ? builtFields(request.taskId, await built) : builtFields(request.taskId, built);
}

function builtFields(taskId: string, definition: unknown): BuiltFields {
  const { json, ...fields }: Definition = checkDefinition(taskId, definition);
  return defined({ ...fields, definition: json });
}

interface Settlement {
  promise: Promise<unknown>;
  reject: (error: Error) => void;
}

function settleLater(
  interpreter: Interpreter,
  request: Ask,
  place: { effectId: string; scope: string; invocationKey: string; kind: string },
): Settlement {
  const settlement = {} as Settlement;
  settlement.promise = new Promise<unknown>((resolve, reject) => {
    settlement.reject = reject;
    interpreter.await(place.effectId, {
      taskId: request.taskId,
      invocationKey: place.invocationKey,
      reject,
      resolve: (value, at) => {
        try {
          resolve(request.receive(value, at, place));
        } catch (error) {
          reject(error);
        }
      },
    });
  });
  // A failure that the process awaits late is not unhandled in the meantime.
  settlement.promise.catch(() => undefined);
  return settlement;
}

function taskAsk(interpreter: Interpreter, task: unknown, args: unknown, options: RequestOptions | undefined): Ask {
  const isDefined = isDefinedTask(task);
  if (!isDefined && !isJsonObject(task)) {
    const error = new BabysitterError(
      "TASK_INVALID",
      "ctx.task needs a task: what defineTask returned, or an object such as { kind: 'node', node: { entry } }.",
    );
    return {
      taskId: "task",
      identity: null,
      args: null,
      label: undefined,
      build: () => Promise.reject(error),
      receive: () => undefined,
    };
  }
  const plain = task as TaskDef;
  const taskId = isDefined ? task.id : plainTaskId(plain);
  return {
    taskId,
    identity: isDefined ? args : { args, task: withoutSecrets(task) },
    args: args === undefined ? {} : args,
    label: options?.label,
    build: isDefined ? (context) => task.build(cloneOf(args), context) : () => plain,
    receive: (value, at, place) =>
      place.kind === "breakpoint"
        ? receiveAnswer(interpreter, value, at, { ...place, question: taskId, onReject: undefined })
        : value,
  };
}

/** Builders may work on while the process changes its own objects. What cannot be cloned is passed as it is. */
function cloneOf(args: unknown): unknown {
  try {
    return structuredClone(args);
  } catch {
    return args;
  }
}

function breakpointAsk(interpreter: Interpreter, payload: BreakpointPayload | string, options: BreakpointOptions): Ask {
  const asked: BreakpointPayload = typeof payload === "string" ? { question: payload } : payload;
  const question = asked.question ?? asked.title ?? "Approve?";
  const { label, onReject, ...rest } = options;
  const definition = {
    kind: "breakpoint",
    title: asked.title ?? question,
    breakpoint: { ...rest, payload: asked },
  };
  return {
    taskId: "breakpoint",
    identity: asked,
    args: asked,
    label,
    build: () => definition,
    receive: (value, at, place) => receiveAnswer(interpreter, value, at, { ...place, question, onReject }),
  };
}

function receiveAnswer(
  interpreter: Interpreter,
  value: Json,
  at: string,
  about: { scope: string; invocationKey: string; question: string; onReject: "throw" | "return" | undefined },
): unknown {
  const result = toBreakpointResult(value, at);
  if (result.approved || about.onReject === "return") return result;
  if (about.onReject === "throw") throw rejected(about, result.feedback);
  return interpreter.unread.watch(result, about);
}

function hookAsk(hookType: string, payload: unknown, options: HookOptions): Ask {
  return {
    taskId: `hook/${hookType}`,
    identity: payload,
    args: payload,
    label: options.label,
    build: () => ({ kind: "hook", hook: { hookType, payload } }),
    receive: (value) => {
      const result = value as unknown as HookResult;
      if (result.success || options.throwOnFailure !== true) return result;
      throw new Error(result.error ?? `A ${hookType} hook failed.`);
    },
  };
}

function taskContext(interpreter: Interpreter, draft: NewRequest): TaskContext {
  const { runId, runDir, putBlob } = interpreter.options;
  const taskDir = `${runDir}/tasks/${draft.effectId}`;
  return {
    effectId: draft.effectId,
    invocationKey: draft.invocationKey,
    taskId: draft.taskId,
    runId,
    runDir,
    taskDir,
    tasksDir: `${runDir}/tasks`,
    label: draft.label,
    labels: draft.labels ?? [],
    createBlobRef: async (name, value) => {
      const { blob, bytes } = await putBlob(JSON.stringify(toJson(value, `The blob "${name}"`)));
      return { name, blobRef: `blobs/${blob}.json`, bytes };
    },
    toTaskRelativePath: (path) => (path.startsWith(`${taskDir}/`) ? path.slice(taskDir.length + 1) : path),
  };
}

function logEntry(message: unknown[]): { message: string; label?: string; data?: Json } {
  const [first, second, ...more] = message;
  if (message.length === 2 && typeof first === "string" && typeof second === "string") {
    return { label: first, message: second };
  }
  const text = typeof first === "string" ? first : textOf(first);
  return message.length < 2
    ? { message: text }
    : { message: text, data: dataOf(more.length === 0 ? second : [second, ...more]) };
}

/** A line in the log is not worth failing a run: what is no JSON is logged as text. */
function dataOf(value: unknown): Json {
  try {
    return toJson(value, "The data of ctx.log");
  } catch {
    return inspect(value);
  }
}

function textOf(value: unknown): string {
  const data = dataOf(value);
  return typeof data === "string" ? data : JSON.stringify(data);
}

function checkPatchId(id: string): string {
  if (typeof id === "string" && /^[\w.:/-]{1,200}$/.test(id) && id !== "__proto__") return id;
  throw new BabysitterError(
    "TASK_INVALID",
    `ctx.patched needs a short name of letters, digits and . : / - _, not ${JSON.stringify(id)}.`,
  );
}
