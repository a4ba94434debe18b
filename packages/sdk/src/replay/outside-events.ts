/**
 * Events that come from outside and that no replay can bring about: a file changes, a signal arrives, someone
 * connects. Everything that their callbacks set off belongs to them.
 */
import { executionAsyncId } from "node:async_hooks";
import { type Scope, scopes } from "./scope.js";

const SOURCES: Readonly<Record<string, string>> = {
  FSEVENTWRAP: "a file was changed (fs.watch)",
  STATWATCHER: "a file was changed (fs.watchFile)",
  SIGNALWRAP: "a signal arrived",
  TCPSERVERWRAP: "someone connected to a server of the process",
  PIPESERVERWRAP: "someone connected to a server of the process",
  HTTPINCOMINGMESSAGE: "someone connected to a server of the process",
};

/** A process that gets very many events forgets what the first ones set off, not where they came from. */
const MAX_TRACES = 10_000;

interface OutsideEvent {
  what: string;
  /** The process that listens. */
  listener: object;
}

const sources = new Map<number, OutsideEvent>();
const traces = new Map<number, OutsideEvent>();
let happening: OutsideEvent | undefined;

/** A resource of a process that may bring events from outside. */
export function noteSource(asyncId: number, type: string, listener: object): void {
  const what = SOURCES[type];
  if (what !== undefined) sources.set(asyncId, { what, listener });
}

/** The process has ended; nobody listens any more. */
export function forgetSources(listener: object): void {
  for (const events of [sources, traces])
    for (const [asyncId, event] of events) if (event.listener === listener) events.delete(asyncId);
}

/** Something begins: does an event from outside set it off? */
export function traceEvent(asyncId: number): void {
  if (sources.size === 0) return;
  const cause = causeOf(executionAsyncId());
  if (cause === undefined) return;
  if (traces.size >= MAX_TRACES) traces.clear();
  traces.set(asyncId, cause);
}

/** A callback is about to run. */
export function noticeEvent(asyncId: number): void {
  if (sources.size === 0) return;
  const cause = causeOf(asyncId);
  if (cause === undefined) return;
  happening = cause;
  // Promises that it settles are continued before this.
  scopes.run(undefined as unknown as Scope, () => setImmediate(() => (happening = undefined)));
}

/** The event from outside that has led a process to what it does now. */
export function outsideEvent(listener: object): string | undefined {
  if (sources.size === 0) return undefined;
  return [happening, causeOf(executionAsyncId())].find((event) => event?.listener === listener)?.what;
}

function causeOf(asyncId: number): OutsideEvent | undefined {
  return sources.get(asyncId) ?? traces.get(asyncId);
}
