/**
 * R5 An iteration ends only when the process has no active work of its own. Files, timers, sockets
 * and child processes that a process starts between ctx calls are seen here through async hooks.
 */
import { createHook } from "node:async_hooks";
import { callbackEnds, forgetSources, noteSource, noticeEvent, outsideEvent, traceEvent } from "./outside-events.js";
import type { OwnTimers } from "./own-timers.js";
import { notePromise } from "./promise-uses.js";
import { type ForeignWork, type Scope, scopes } from "./scope.js";

/** One-shot requests: over when their callback has run. */
const REQUEST =
  /^(FSREQ|FILEHANDLECLOSEREQ|GETADDRINFOREQ|GETNAMEINFOREQ|QUERYWRAP|TCPCONNECT|PIPECONNECT|WRITEWRAP|SHUTDOWNWRAP|UDPSEND|RANDOMBYTES|PBKDF2|SCRYPT|KEYPAIRGEN|KEYGEN|SIGNREQ|HASHREQ|CIPHERREQ|DERIVEBITS|CHECKPRIME|RANDOMPRIME)/;

/** Those of crypto: they are made for synchronous calls too, which are over at once and never call back. */
const CRYPTO =
  /^(RANDOMBYTES|PBKDF2|SCRYPT|KEYPAIRGEN|KEYGEN|SIGNREQ|HASHREQ|CIPHERREQ|DERIVEBITS|CHECKPRIME|RANDOMPRIME)/;

/** Signs that the process is talking to someone, maybe over a connection that it did not open itself. */
const NETWORK = /^(TCPCONNECT|WRITEWRAP|HTTPCLIENTREQUEST|GETADDRINFOREQ|TLSWRAP)/;

interface Referable {
  hasRef(): boolean;
  _destroyed?: boolean;
  _repeat?: number | null;
  _idleStart?: number;
  _idleTimeout?: number;
}

/**
 * Connections outlive the run that opened them: pools keep them, without holding the program, until some
 * run uses them again. So whoever opened it, a connection in use is waited for.
 */
const connections = new Set<WeakRef<Referable>>();

const requestOwners = new Map<number, ForeignWorkTracker>();
let hooked = false;

function installHook(): void {
  if (hooked) return;
  hooked = true;
  createHook({
    init(asyncId, type, trigger, resource) {
      traceEvent(resource);
      if (type === "PROMISE") {
        notePromise(asyncId, trigger, resource);
        return;
      }
      if (type === "TickObject" || type === "Microtask") return;
      const scope = scopes.getStore();
      scope?.world.foreign.started(asyncId, type, resource, scope);
    },
    before(asyncId) {
      noticeEvent();
      if (requestOwners.size > 0) requestOwners.get(asyncId)?.ending();
    },
    after(asyncId) {
      callbackEnds();
      if (requestOwners.size === 0) return;
      requestOwners.get(asyncId)?.end(asyncId);
      requestOwners.delete(asyncId);
    },
  }).enable();
}

/** The work of one process. */
export class ForeignWorkTracker implements ForeignWork {
  /** How many requests have ended. */
  ended = 0;
  readonly #requests = new Map<number, string>();
  readonly #jobs = new Map<number, { ondone?: unknown }>();
  /** What Atomics.waitAsync has promised, and when at the latest. */
  readonly #waits = new Map<Promise<unknown>, number>();
  readonly #handles = new Map<Referable, string>();

  /** Message ports that keep the program alive for reasons other than this process. */
  readonly #otherPorts = activePorts();
  #usedPorts = false;
  #usedNetwork = false;
  /** Streams of zlib work in many steps; while one is under way they hold its input. */
  readonly #compressors = new Set<object>();
  /** Connections that were waited for in vain, such as subscriptions. */
  readonly #givenUp = new WeakSet<Referable>();

  readonly #timers: OwnTimers | undefined;

  /** Called just before the process learns that a piece of work is over. */
  readonly ending: () => void;

  constructor(timers: OwnTimers | undefined, ending: () => void) {
    this.#timers = timers;
    this.ending = ending;
    installHook();
  }

  started(asyncId: number, type: string, resource: object, scope: Scope): void {
    if (type === "Timeout" && !isBuilder(scope)) this.#timers?.adopt(resource, scope, outsideEvent(this) !== undefined);
    if (this.#timers !== undefined) noteSource(resource, type, this);
    if (type === "MESSAGEPORT") this.#usedPorts = true;
    if (NETWORK.test(type)) this.#usedNetwork = true;
    if (type === "ZLIB") this.#compressors.add(resource);
    if (isReferable(resource)) {
      if (type === "TCPWRAP") connections.add(new WeakRef(resource));
      else this.#handles.set(resource, type);
    }
    if (REQUEST.test(type)) {
      this.#requests.set(asyncId, type);
      if (CRYPTO.test(type)) this.#jobs.set(asyncId, resource);
      requestOwners.set(asyncId, this);
    }
  }

  /** A request is over. */
  end(asyncId: number): void {
    if (this.#requests.delete(asyncId)) this.ended += 1;
  }

  /** Atomics.waitAsync, which shows in no other way. */
  waits(promise: Promise<unknown>, ms: number): void {
    if (this.#timers === undefined) return;
    this.#waits.set(promise, ms);
    void promise.finally(() => {
      this.ending();
      this.#waits.delete(promise);
      this.ended += 1;
    });
  }

  /**
   * Names of what may still call back within `withinMs`. Repeating timers count only when asked for:
   * a heartbeat must not keep an iteration from ending.
   */
  active(withinMs: number, repeatingToo: boolean): string[] {
    return this.#active(withinMs, (handle) => isAwaitable(handle, withinMs, repeatingToo));
  }

  /** The same without the process's own timers. */
  activeBesidesTimers(withinMs: number): string[] {
    return this.#active(
      withinMs,
      (handle) => this.#timers?.has(handle) !== true && isAwaitable(handle, withinMs, false),
    );
  }

  #active(withinMs: number, counts: (handle: Referable) => boolean): string[] {
    for (const handle of this.#handles.keys())
      if (handle._destroyed === true || !handle.hasRef()) this.#handles.delete(handle);
    this.#dropSynchronous();
    const handles = [...this.#handles].filter(([handle]) => counts(handle)).map(([, type]) => type);
    const active = [
      ...this.#requests.values(),
      ...[...this.#waits.values()].filter((ms) => ms <= withinMs).map(() => "Atomics.waitAsync"),
      ...handles,
      ...this.#compressing(),
      ...this.#connections(),
      ...this.#imports(),
    ];
    if (active.length === 0) this.#usedNetwork = false;
    return active;
  }

  /** Who waits for a job has said so as soon as it was made. */
  #dropSynchronous(): void {
    for (const [asyncId, { ondone }] of this.#jobs) {
      if (ondone !== undefined) continue;
      this.#requests.delete(asyncId);
      requestOwners.delete(asyncId);
    }
    this.#jobs.clear();
  }

  #compressing(): string[] {
    return [...this.#compressors]
      .filter((stream) => Boolean((stream as { buffer?: unknown }).buffer))
      .map(() => "ZLIB");
  }

  #connections(): string[] {
    if (!this.#usedNetwork) return [];
    return openConnections().flatMap((handle) => (handle.hasRef() && !this.#givenUp.has(handle) ? ["TCPWRAP"] : []));
  }

  /** Where module hooks run in a thread, an import under way shows only in a port that is held open. */
  #imports(): string[] {
    return this.#usedPorts && activePorts() > this.#otherPorts ? ["import()"] : [];
  }

  /** What was waited for in vain is not waited for again. */
  giveUp(): void {
    for (const handle of openConnections()) if (handle.hasRef()) this.#givenUp.add(handle);
    this.#forget();
  }

  /** Ends active work when the process is given up: an abandoned heartbeat would beat forever. */
  release(): void {
    for (const [handle, type] of this.#handles) {
      if (type === "Timeout") clearTimeout(handle as unknown as NodeJS.Timeout);
      if (type === "Immediate") clearImmediate(handle as unknown as NodeJS.Immediate);
    }
    this.#timers?.close();
    forgetSources(this);
    this.#forget();
  }

  #forget(): void {
    for (const asyncId of this.#requests.keys()) requestOwners.delete(asyncId);
    this.#requests.clear();
    this.#waits.clear();
    this.#handles.clear();
    this.#compressors.clear();
    this.#usedPorts = false;
    this.#usedNetwork = false;
  }
}

/** What builds a task is not run again in a replay. */
function isBuilder(scope: Scope): boolean {
  return scope.path.endsWith("#build/");
}

function activePorts(): number {
  return process.getActiveResourcesInfo().filter((type) => type === "MessagePort").length;
}

function openConnections(): Referable[] {
  const open: Referable[] = [];
  for (const connection of connections) {
    const handle = connection.deref();
    if (handle === undefined) connections.delete(connection);
    else open.push(handle);
  }
  return open;
}

function isAwaitable(handle: Referable, withinMs: number, repeatingToo: boolean): boolean {
  if (handle._repeat) return repeatingToo;
  return handle._idleTimeout === undefined || handle._idleTimeout <= withinMs;
}

function isReferable(resource: object): resource is Referable {
  return "hasRef" in resource && typeof resource.hasRef === "function";
}
