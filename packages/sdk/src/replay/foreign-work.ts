/**
 * R5 An iteration ends only when the process has no active work of its own. Files, timers, sockets
 * and child processes that a process starts between ctx calls are seen here through async hooks.
 */
import { createHook } from "node:async_hooks";
import { type ForeignWork, scopes } from "./scope.js";

/** One-shot requests: over when their callback has run. */
const REQUEST =
  /^(FSREQ|FILEHANDLECLOSEREQ|GETADDRINFOREQ|GETNAMEINFOREQ|QUERYWRAP|TCPCONNECT|PIPECONNECT|WRITEWRAP|SHUTDOWNWRAP|UDPSEND|RANDOMBYTES|PBKDF2|SCRYPT|KEYPAIRGEN|KEYGEN|SIGNREQ|HASHREQ|CIPHERREQ|DERIVEBITS|CHECKPRIME|RANDOMPRIME)/;

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

const requestOwners = new Map<number, Map<number, string>>();
let hooked = false;

function installHook(): void {
  if (hooked) return;
  hooked = true;
  createHook({
    init(asyncId, type, _trigger, resource) {
      if (type === "PROMISE" || type === "TickObject" || type === "Microtask") return;
      scopes.getStore()?.world.foreign.started(asyncId, type, resource);
    },
    after(asyncId) {
      if (requestOwners.size === 0) return;
      requestOwners.get(asyncId)?.delete(asyncId);
      requestOwners.delete(asyncId);
    },
  }).enable();
}

/** The work of one process. */
export class ForeignWorkTracker implements ForeignWork {
  readonly #requests = new Map<number, string>();
  readonly #handles = new Map<Referable, string>();

  /** Message ports that keep the program alive for reasons other than this process. */
  readonly #otherPorts = activePorts();
  #usedPorts = false;
  #usedNetwork = false;
  /** Streams of zlib work in many steps; while one is under way they hold its input. */
  readonly #compressors = new Set<object>();
  /** Connections that were waited for in vain, such as subscriptions. */
  readonly #givenUp = new WeakSet<Referable>();

  constructor() {
    installHook();
  }

  started(asyncId: number, type: string, resource: object): void {
    if (type === "MESSAGEPORT") this.#usedPorts = true;
    if (NETWORK.test(type)) this.#usedNetwork = true;
    if (type === "ZLIB") this.#compressors.add(resource);
    if (isReferable(resource)) {
      if (type === "TCPWRAP") connections.add(new WeakRef(resource));
      else this.#handles.set(resource, type);
    }
    if (REQUEST.test(type)) {
      this.#requests.set(asyncId, type);
      requestOwners.set(asyncId, this.#requests);
    }
  }

  /**
   * Names of what may still call back within `withinMs`. Repeating timers count only when asked for:
   * a heartbeat must not keep an iteration from ending.
   */
  active(withinMs: number, repeatingToo: boolean): string[] {
    for (const handle of this.#handles.keys())
      if (handle._destroyed === true || !handle.hasRef()) this.#handles.delete(handle);
    const handles = [...this.#handles]
      .filter(([handle]) => isAwaitable(handle, withinMs, repeatingToo))
      .map(([, type]) => type);
    const active = [
      ...this.#requests.values(),
      ...handles,
      ...this.#compressing(),
      ...this.#connections(),
      ...this.#imports(),
    ];
    if (active.length === 0) this.#usedNetwork = false;
    return active;
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
    this.#forget();
  }

  #forget(): void {
    for (const asyncId of this.#requests.keys()) requestOwners.delete(asyncId);
    this.#requests.clear();
    this.#handles.clear();
    this.#compressors.clear();
    this.#usedPorts = false;
    this.#usedNetwork = false;
  }
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
