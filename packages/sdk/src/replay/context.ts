import { toBreakpointResult } from "../model/breakpoint-result.js";
import { BabysitterError } from "../model/errors.js";
import { canonicalJson, defined, isJsonObject, type Json, toJson } from "../model/json.js";
import type { HookResult } from "../model/ports.js";
import type { RecordedRequest } from "../model/replay-index.js";
import { rejected } from "./breakpoint-answer.js";
import { callerLocation, type NewRequest } from "./call.js";
import {
  breakpointProblem,
  checkPatchId,
  checkpointProblem,
  detachProblem,
  hookProblem,
  invalidCall,
  sleepProblem,
  sleepUntilProblem,
  taskProblem,
} from "./call-arguments.js";
import { checkedParallel } from "./checked-parallel.js";
import { effectIdOf } from "./identity.js";
import type { Interpreter } from "./interpreter.js";
import { checkpointEntry, logEntry } from "./log-entry.js";
import { refusal } from "./loose-ends.js";
import { makeParallel } from "./parallel.js";
import type {
  BreakpointOptions,
  BreakpointPayload,
  Checkpoint,
  HookOptions,
  ProcessContext,
  RequestOptions,
} from "./process-context.js";
import { makeScope, type Scope, scopes } from "./scope.js";
import type { AnyTask } from "./task-def.js";
import {
  agentDefinition,
  checkDefinition,
  type Definition,
  identityOf,
  isDefinedTask,
  plainTaskId,
  type TaskContext,
} from "./task-definition.js";

interface Ask {
  /** As it is in the code of the process. */
  call: string;
  taskId: string;
  /** What identifies the request besides its place. */
  identity: unknown;
  /** What the worker gets. */
  args: unknown;
  label: string | undefined;
  /** What is wrong with the call, so that it cannot be recorded; calls that the journal has are not judged again. */
  problem?: string | undefined;
  /** It cannot even be told from other calls, and so the journal cannot have it. */
  refused?: true;
  build(context: TaskContext): unknown;
  /** Turns the recorded value into what the process gets. */
  receive(value: Json, at: string, place: { scope: string; invocationKey: string; kind: string }): unknown;
}

type AnyFunction = (...args: never[]) => unknown;

/** The ctx object of one process. */
export function makeContext(interpreter: Interpreter): ProcessContext {
  const { runId, runDir, projectRoot, semantics } = interpreter.options;
  const ask = (request: Ask, calledBy: AnyFunction): Promise<never> =>
    issue(interpreter, request, calledBy) as Promise<never>;
  const currentScope = (): Scope => {
    const scope = scopes.getStore();
    return scope?.world === interpreter ? scope : interpreter.root;
  };
  const parallel = makeParallel({
    currentScope,
    branchesEnded: (parent, branches) => interpreter.unread.moveUp(parent, branches),
    branchesLost: (branches) => interpreter.unread.forget(branches),
  });

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
      const problem = sleepUntilProblem(time);
      if (Number.isNaN(date.getTime())) return ask(refusedAsk("ctx.sleepUntil(…)", "sleep", problem), sleepUntil);
      const until = date.toISOString();
      const build = (): object => sleepDefinition(date);
      return ask({ ...sleepAsk(`ctx.sleepUntil(${until})`, until, { until }, options), problem, build }, sleepUntil);
    },
    sleep: function sleep(ms: number, options?: RequestOptions) {
      const problem = sleepProblem(ms);
      if (problem !== undefined) return ask(refusedAsk("ctx.sleep(…)", "sleep", problem), sleep);
      const build = (): object => sleepFor(interpreter, ms);
      return ask({ ...sleepAsk(`ctx.sleep(${ms})`, { ms }, { ms }, options), build }, sleep);
    },
    parallel: semantics < 2 ? parallel : checkedParallel(parallel, interpreter.loose, projectRoot),
    hook: function hook(hookType: string, payload?: unknown, options: HookOptions = {}) {
      return ask(hookAsk(hookType, payload, options), hook);
    },
    detach: function detach(work: PromiseLike<unknown>) {
      const location = callerLocation(detach, projectRoot);
      const problem = detachProblem(work);
      if (problem !== undefined) throw invalidCall(problem, location);
      interpreter.loose.detach(work, location);
    },
    log: (...message) => interpreter.log(currentScope(), logEntry(message)),
    checkpoint: function checkpoint(milestone: Checkpoint) {
      const problem = checkpointProblem(milestone);
      if (problem !== undefined) throw invalidCall(problem, callerLocation(checkpoint, projectRoot));
      interpreter.log(currentScope(), checkpointEntry(milestone));
    },
    now: () => new Date(interpreter.nowMs()),
    patched: (id) => interpreter.patched(checkPatchId(id)),
  };
  return context;
}

/** Counted from the moment it is asked for, not from the last thing that happened, which may have had a wrong clock. */
function sleepFor(interpreter: Interpreter, ms: number): object {
  const { semantics, wallClock } = interpreter.options;
  // Inside the scope of a process every clock shows the time of the process.
  const now = scopes.exit(wallClock);
  if (semantics < 2) return sleepDefinition(new Date(Math.max(now, interpreter.nowMs()) + ms));
  return sleepDefinition(new Date(now + ms), ms);
}

function sleepDefinition(until: Date, ms?: number): object {
  return { kind: "sleep", sleep: { iso: until.toISOString(), targetEpochMs: until.getTime(), ...defined({ ms }) } };
}

function sleepAsk(call: string, identity: unknown, args: object, options?: RequestOptions): Omit<Ask, "build"> {
  return { call, taskId: "sleep", identity, args, label: options?.label, receive: nothing };
}

function nothing(): void {}

/** R1 R3: gives the call its identity at once, and a promise that settles when the journal says so. */
function issue(interpreter: Interpreter, request: Ask, calledBy: AnyFunction): Promise<unknown> {
  if (interpreter.over) return new Promise(() => undefined);
  if (request.refused === true) return refuse(interpreter, request, calledBy);
  const store = scopes.getStore();
  const scope = (store?.world === interpreter ? store : interpreter.root).path;
  let hashes: readonly string[];
  try {
    hashes = interpreter.hashArgs(canonicalJson(request.identity, `The arguments of "${request.taskId}"`));
  } catch (error) {
    return refuse(interpreter, request, calledBy, error as BabysitterError);
  }
  const overlooked = interpreter.unread.overlookedBy(scope);
  if (overlooked !== undefined) {
    interpreter.fail(overlooked);
    return Promise.reject(overlooked);
  }
  const known = interpreter.recorded.claim(scope, request.taskId, hashes, interpreter.turn);
  if (known !== undefined && known.retried === undefined) return settleLater(interpreter, request, known).promise;
  const place = known === undefined ? newPlace(interpreter, request, scope) : placeOf(known);
  if (interpreter.over) return new Promise(() => undefined);
  return issueNew(interpreter, request, {
    ...place,
    argsHash: hashes[0] as string,
    ...defined({ location: callerLocation(calledBy, interpreter.options.projectRoot) }),
  });
}

function refuse(
  interpreter: Interpreter,
  { call, problem = "" }: Ask,
  calledBy: AnyFunction,
  error?: BabysitterError,
): Promise<never> {
  const location = callerLocation(calledBy, interpreter.options.projectRoot);
  return interpreter.loose.watch({ name: call, location, isHarmless: false }, (ended) =>
    refusal(ended, error ?? invalidCall(problem, location)),
  );
}

type RequestPlace = Pick<
  NewRequest,
  "effectId" | "invocationKey" | "scope" | "after" | "fired" | "late" | "attempt" | "location"
>;

function newPlace(interpreter: Interpreter, { taskId }: Ask, scope: string): RequestPlace {
  const late = interpreter.lateness(taskId);
  const invocationKey = interpreter.recorded.newKey(scope, taskId);
  const effectId = effectIdOf(interpreter.options.runId, invocationKey);
  return { effectId, invocationKey, scope, after: interpreter.turn, ...defined({ late }) };
}

/** A request that is made anew is where it was, so that a replay finds everything around it in the same order. */
function placeOf({ effectId, invocationKey, scope, after, fired, late, retried }: RecordedRequest): RequestPlace {
  return { effectId, invocationKey, scope, after, ...defined({ fired, late, attempt: retried }) };
}

function issueNew(
  interpreter: Interpreter,
  request: Ask,
  place: RequestPlace & { argsHash: string },
): Promise<unknown> {
  const { taskId, label } = request;
  const draft: NewRequest = {
    ...place,
    taskId,
    args: toJson(request.args, `The arguments of "${taskId}"`),
    kind: "",
    definition: null,
    ...defined({ label }),
  };
  interpreter.values.note(`Parts of the arguments of ${request.call}`, request.args, place.location);
  const settled = settleLater(interpreter, request, draft);
  // A failed build settles the call; otherwise the journal does.
  interpreter.request(draft, define(interpreter, request, draft)).catch(settled.refuse);
  return settled.promise;
}

type BuiltFields = Pick<NewRequest, "kind" | "definition" | "title" | "labels" | "until" | "sleepMs">;

/**
 * Runs the builder, in a scope of its own: replays leave it out, so it must not use up the random numbers
 * of the process.
 */
async function define(interpreter: Interpreter, request: Ask, draft: NewRequest): Promise<BuiltFields> {
  if (request.problem !== undefined) throw invalidCall(request.problem, draft.location);
  const scope = makeScope(interpreter, `${draft.invocationKey}#build/`);
  const built = scopes.run(scope, () => request.build(taskContext(interpreter, draft)));
  // What is there at once is taken at once, before the process can change it.
  return builtFields(interpreter, draft, built instanceof Promise ? await built : built);
}

function builtFields(interpreter: Interpreter, draft: NewRequest, built: unknown): BuiltFields {
  const { json, ...fields }: Definition = checkDefinition(draft.taskId, built);
  // The definition of a question or a hook consists of its arguments.
  if (fields.kind !== "breakpoint" && fields.kind !== "hook")
    interpreter.values.note(`Parts of the definition of "${draft.taskId}"`, built, draft.location);
  interpreter.words.check(json, draft);
  return defined({ ...fields, definition: json });
}

interface Settlement {
  promise: Promise<unknown>;
  /** Before it is recorded. */
  refuse: (error: Error) => void;
}

function settleLater(
  interpreter: Interpreter,
  request: Ask,
  place: { effectId: string; scope: string; invocationKey: string; kind: string; location?: string },
): Settlement {
  const settlement = {} as Settlement;
  const call = { name: request.call, location: place.location, isHarmless: request.taskId === "sleep" };
  settlement.promise = interpreter.loose.watch(call, (ended) => {
    const promise = new Promise<unknown>((resolve, reject) => {
      const fail = (failed: unknown, refused = false): void => {
        ended({ failed, refused });
        reject(failed);
      };
      settlement.refuse = (error) => fail(error, true);
      interpreter.await(place.effectId, {
        taskId: request.taskId,
        invocationKey: place.invocationKey,
        reject: fail,
        resolve: (value, at) => {
          try {
            resolve(request.receive(value, at, place));
            ended();
          } catch (error) {
            fail(error);
          }
        },
      });
    });
    // A failure that the process awaits late is not unhandled in the meantime.
    promise.catch(() => undefined);
    return promise;
  });
  return settlement;
}

function taskAsk(interpreter: Interpreter, task: unknown, args: unknown, options: RequestOptions | undefined): Ask {
  const isDefined = isDefinedTask(task);
  const problem = taskProblem(task, options);
  if (!isDefined && !isJsonObject(task)) return refusedAsk("ctx.task(…)", "task", problem);
  const plain = task as AnyTask;
  const taskId = isDefined ? task.id : plainTaskId(plain);
  return {
    call: `ctx.task(${JSON.stringify(taskId)})`,
    taskId,
    identity: isDefined ? args : { args, task: identityOf(task, interpreter.options.semantics) },
    args: args === undefined ? {} : args,
    label: options?.label,
    problem,
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

function refusedAsk(call: string, taskId: string, problem: string | undefined): Ask {
  const nothingElse = { identity: null, args: null, label: undefined, build: nothing, receive: nothing };
  return { call, taskId, problem, refused: true, ...nothingElse };
}

function breakpointAsk(interpreter: Interpreter, payload: BreakpointPayload | string, options: BreakpointOptions): Ask {
  const problem = breakpointProblem(payload, options);
  if (payload === undefined || payload === null) return refusedAsk("ctx.breakpoint(…)", "breakpoint", problem);
  const asked: BreakpointPayload = typeof payload === "string" ? { question: payload } : payload;
  const question = asked.question ?? asked.title ?? "Approve?";
  const { label, onReject = asked.onReject, ...rest } = options;
  const definition = {
    kind: "breakpoint",
    title: asked.title ?? question,
    breakpoint: { ...rest, payload: asked },
  };
  return {
    call: `ctx.breakpoint(${JSON.stringify(question)})`,
    taskId: "breakpoint",
    identity: asked,
    args: asked,
    label,
    problem,
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
    call: `ctx.hook(${JSON.stringify(hookType)})`,
    taskId: `hook/${hookType}`,
    identity: payload,
    args: payload,
    label: options.label,
    problem: hookProblem(hookType, options),
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
    agent: agentDefinition,
    toTaskRelativePath: (path) => (path.startsWith(`${taskDir}/`) ? path.slice(taskDir.length + 1) : path),
  };
}
