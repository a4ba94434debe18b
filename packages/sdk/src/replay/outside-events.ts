/**
 * Events that come from outside and that no replay can bring about: a file changes, a signal arrives, someone
 * connects. Everything that their callbacks set off belongs to them.
 */
import { executionAsyncResource } from "node:async_hooks";
import { type Scope, scopes } from "./scope.js";

const SOURCES: Readonly<Record<string, string>> = {
  FSEVENTWRAP: "a file was changed (fs.watch)",
  STATWATCHER: "a file was changed (fs.watchFile)",
  SIGNALWRAP: "a signal arrived",
  TCPSERVERWRAP: "someone connected to a server of the process",
  PIPESERVERWRAP: "someone connected to a server of the process",
  HTTPINCOMINGMESSAGE: "someone connected to a server of the process",
};

interface OutsideEvent {
  what: string;
  /** The process that listens. */
  listener: object;
}

const listeners = new Set<object>();
/** What may bring events from outside, and all that they have set off and that is still there. */
const causes = new WeakMap<object, OutsideEvent>();
let happening: OutsideEvent | undefined;
/** How many callbacks are running inside one another. */
let depth = 0;
/** What is set up for the tracing itself is no work of a process, and would lead to itself for ever. */
let isOwnWork = false;

/** A resource of a process that may bring events from outside. */
export function noteSource(resource: object, type: string, listener: object): void {
  const what = SOURCES[type];
  if (what === undefined) return;
  listeners.add(listener);
  causes.set(resource, { what, listener });
}

/** The process has ended; nobody listens any more. */
export function forgetSources(listener: object): void {
  listeners.delete(listener);
}

/** Something begins: does an event from outside set it off? */
export function traceEvent(resource: object): void {
  if (listeners.size === 0 || isOwnWork) return;
  // Whoever waited for the event began to wait before it.
  const cause = happening ?? causeOfThis();
  if (cause !== undefined) causes.set(resource, cause);
}

/** A callback is about to run. */
export function noticeEvent(): void {
  depth += 1;
  if (listeners.size === 0) return;
  const cause = causeOfThis();
  if (cause === undefined) {
    // Only promises continue with what an event has settled; every other callback begins something else.
    if (depth === 1 && !(executionAsyncResource() instanceof Promise)) happening = undefined;
    return;
  }
  happening = cause;
  isOwnWork = true;
  // Promises that it settles are continued before this.
  scopes.run(undefined as unknown as Scope, () => setImmediate(restAfterEvent));
  isOwnWork = false;
}

/** A callback has run. */
export function callbackEnds(): void {
  depth = Math.max(0, depth - 1);
}

function restAfterEvent(): void {
  happening = undefined;
  // Of a callback that threw, the end may not have been told.
  depth = 1;
}

/** The event from outside that has led a process to what it does now. */
export function outsideEvent(listener: object): string | undefined {
  if (listeners.size === 0) return undefined;
  return [happening, causeOfThis()].find((event) => event?.listener === listener)?.what;
}

function causeOfThis(): OutsideEvent | undefined {
  const cause = causes.get(executionAsyncResource());
  return cause !== undefined && listeners.has(cause.listener) ? cause : undefined;
}
