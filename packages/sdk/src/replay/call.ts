import type { RecordedError } from "../model/errors.js";
import type { TimerFiring } from "../model/events.js";
import type { EffectId } from "../model/ids.js";
import { copyJson, defined, type Json } from "../model/json.js";

/** A request that the journal does not have yet. */
export interface NewRequest {
  effectId: EffectId;
  invocationKey: string;
  taskId: string;
  scope: string;
  argsHash: string;
  after: number;
  args: Json;
  kind: string;
  definition: Json;
  title?: string;
  label?: string;
  labels?: string[];
  location?: string;
  until?: string;
  sleepMs?: number;
  fired?: TimerFiring[];
  late?: number;
  /** It takes the place of a recorded request, and opens this attempt. */
  attempt?: number;
}

/** A call of the process that waits for its result. */
export interface OpenCall {
  taskId: string;
  invocationKey: string;
  resolve(value: Json, at: string): void;
  reject(error: Error): void;
}

/** How an effect ended. */
export type Outcome = { status: "ok"; value: Json } | { status: "error"; error: RecordedError };

/** A resolution, in its place in the journal. */
export interface Delivery {
  seq: number;
  at: string;
  effectId: EffectId;
  /** Large results are fetched when their turn comes. */
  outcome: Outcome | (() => Promise<Outcome>);
}

/** Gives a call its result, as a copy: what the process does with it stays its own. */
export function settleCall(call: OpenCall, { at, effectId }: Delivery, outcome: Outcome): void {
  if (outcome.status === "ok") call.resolve(copyJson(outcome.value), at);
  else
    call.reject(
      thrownError(copyJson(outcome.error as unknown as Json) as unknown as RecordedError, { ...call, effectId }),
    );
}

/** The error that a failed task throws at its call site. */
function thrownError(
  recorded: RecordedError,
  effect: { effectId: string; taskId: string; invocationKey: string },
): Error {
  const error = new Error(recorded.message);
  const { data, code, cause } = recorded;
  const fields = typeof data === "object" && data !== null && !Array.isArray(data) ? data : {};
  for (const [field, value] of Object.entries(fields)) {
    // Posted by anyone: what an error inherits or says itself is not theirs to replace.
    if (field in error) continue;
    Object.defineProperty(error, field, { value, enumerable: true, configurable: true, writable: true });
  }
  const { effectId, taskId } = effect;
  Object.assign(error, { name: recorded.name, effectId, taskId, ...defined({ code, data }) });
  // Not enumerable, as where an error is made with its cause.
  if (cause !== undefined) Object.defineProperty(error, "cause", { value: cause, configurable: true, writable: true });
  // The engine's own frames would tell the reader nothing, and differ between hot and cold.
  error.stack = `${error.name}: ${error.message}\n    at ctx.task (${effect.invocationKey})`;
  return error;
}

/** `file:line:column` of the code that called `below`, as far as the engine knows it. */
export function callerLocation(below: (...args: never[]) => unknown, projectRoot: string): string | undefined {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, below);
  const line = holder.stack?.split("\n").find((text) => /:\d+:\d+\)?$/.test(text) && !text.includes("node:"));
  const place = line === undefined ? undefined : /(?:\(|at (?:async )?)([^()]+:\d+:\d+)\)?$/.exec(line.trim())?.[1];
  if (place === undefined) return undefined;
  const path = place.startsWith("file://")
    ? decodeURIComponent(place.slice("file://".length).replace(/^([^?]*)\?[^:]*(:\d+:\d+)$/, "$1$2"))
    : place;
  return path.startsWith(`${projectRoot}/`) ? path.slice(projectRoot.length + 1) : path;
}
