/** What is wrong with the arguments of a ctx call: what the author sees at the call instead of a run that waits. */
import { inspect } from "node:util";
import { BabysitterError } from "../model/errors.js";
import { isHookType } from "../model/hook-types.js";
import { isJsonObject } from "../model/json.js";
import { nearestWord } from "../model/task-words.js";
import { mistakeError } from "./mistake-error.js";
import { isDefinedTask } from "./task-definition.js";

/** The error for a call with wrong arguments; `problem` begins with the name of the call. */
export function invalidCall(problem: string, location: string | undefined): BabysitterError {
  const said = location === undefined ? problem : problem.replace(" ", ` (${location}) `);
  return mistakeError("TASK_INVALID", said.endsWith("?") ? said : `${said}.`, { location });
}

export function taskProblem(task: unknown, options: unknown): string | undefined {
  if (isDefinedTask(task) || isPlainObject(task)) return optionsProblem("ctx.task", options);
  const way = typeof task === "function" ? '; wrap the function in defineTask("name", …)' : "";
  return `ctx.task takes a task (what defineTask returned, or an object such as { kind: "shell", shell: "npm test" }), not ${shown(task)}${way}`;
}

export function breakpointProblem(payload: unknown, options: unknown): string | undefined {
  if (typeof payload !== "string" && !isPlainObject(payload))
    return `ctx.breakpoint takes a question, such as "Release?" or { question: "Release?" }, not ${shown(payload)}`;
  const misspelt = isPlainObject(payload) ? misspeltQuestion(payload) : undefined;
  if (misspelt !== undefined) return misspelt;
  for (const given of [payload, options]) {
    const { onReject } = (isPlainObject(given) ? given : {}) as { onReject?: unknown };
    if (onReject !== undefined && onReject !== "throw" && onReject !== "return")
      return `ctx.breakpoint takes onReject: "throw" or "return", not ${shown(onReject)}`;
  }
  return optionsProblem("ctx.breakpoint", options);
}

export function hookProblem(hookType: unknown, options: unknown): string | undefined {
  if (typeof hookType !== "string" || hookType === "")
    return `ctx.hook takes the name of a hook, such as "pre-commit", not ${shown(hookType)}`;
  if (!isHookType(hookType))
    return `ctx.hook takes a name of lowercase letters, digits and dashes, such as "pre-commit", not ${shown(hookType)}`;
  return optionsProblem("ctx.hook", options);
}

export function sleepProblem(ms: unknown): string | undefined {
  if (typeof ms === "number" && Number.isFinite(ms)) return undefined;
  const meant = typeof ms === "string" ? millisecondsIn(ms) : undefined;
  return `ctx.sleep takes a number of milliseconds, not ${shown(ms)}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

export function sleepUntilProblem(time: unknown): string | undefined {
  const isTime = typeof time === "string" || typeof time === "number" || time instanceof Date;
  if (isTime && !Number.isNaN(new Date(time).getTime())) return undefined;
  const meant = typeof time === "string" ? millisecondsIn(time) : undefined;
  const way = meant === undefined ? "" : `; to wait for a time span, use ctx.sleep(${meant})`;
  return `ctx.sleepUntil takes a Date, a date as text such as "2030-01-01T09:00:00Z", or milliseconds since 1970, not ${shown(time)}${way}`;
}

export function detachProblem(work: unknown): string | undefined {
  const isPromise = typeof (work as { then?: unknown } | null | undefined)?.then === "function";
  return isPromise
    ? undefined
    : `ctx.detach takes the promise of a call, as in ctx.detach(ctx.task(notify)), not ${shown(work)}`;
}

export function checkpointProblem(milestone: unknown): string | undefined {
  return typeof milestone === "string" || isPlainObject(milestone)
    ? undefined
    : `ctx.checkpoint takes a milestone such as { title: "Built", message: "All packages are built" }, not ${shown(milestone)}`;
}

/** `call` is the name of a helper of ctx.parallel. */
export function branchesProblem(call: string, branches: unknown): string | undefined {
  if (Array.isArray(branches)) return undefined;
  const example = call === "map" ? "(items, (item) => …)" : "([() => …, () => …])";
  return `ctx.parallel.${call} takes a list, ctx.parallel.${call}${example}, not ${shown(branches)}`;
}

export function mapperProblem(fn: unknown): string | undefined {
  return typeof fn === "function" ? undefined : `ctx.parallel.map takes a function for each item, not ${shown(fn)}`;
}

export function checkPatchId(id: string): string {
  if (typeof id === "string" && /^[\w.:/-]{1,200}$/.test(id) && id !== "__proto__") return id;
  throw new BabysitterError(
    "TASK_INVALID",
    `ctx.patched needs a short name of letters, digits and . : / - _, not ${JSON.stringify(id)}.`,
  );
}

function optionsProblem(call: string, options: unknown): string | undefined {
  if (options === undefined || options === null || isPlainObject(options)) return undefined;
  return `${call} takes options such as { label: "first pass" } as its last argument, not ${shown(options)}`;
}

/** Without its question a breakpoint would ask only whether to approve. */
function misspeltQuestion(payload: object): string | undefined {
  const has = payload as { question?: unknown; title?: unknown };
  if (has.question !== undefined || has.title !== undefined) return undefined;
  const field = Object.keys(payload).find((name) => nearestWord(name, ["question"], 2) !== undefined);
  return field === undefined
    ? undefined
    : `ctx.breakpoint has the unknown field ${JSON.stringify(field)}; did you mean "question"?`;
}

function isPlainObject(value: unknown): value is object {
  return isJsonObject(value) && !(value instanceof Promise);
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds in a text such as `5s`. */
function millisecondsIn(text: string): number | undefined {
  const amount = Number.parseFloat(text);
  const unit = UNITS[text.trim().slice(String(amount).length).trim() || "ms"];
  return Number.isFinite(amount) && unit !== undefined ? amount * unit : undefined;
}

function shown(value: unknown): string {
  if (value instanceof Promise) return "a promise (is an await missing?)";
  if (typeof value === "function") return "a function";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  return inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY }).slice(0, 60);
}
