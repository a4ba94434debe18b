/**
 * Inside a process, Date, Math.random and randomUUID answer the same in every replay, and Atomics.waitAsync is
 * noticed. The replacements look at the asynchronous scope; outside a process they are the originals.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { outsideEvent } from "./outside-events.js";
import { type Scope, scopes } from "./scope.js";

let installed = false;

/** Puts the replacements in place, once per program. */
export function installDeterministicGlobals(): void {
  if (installed) return;
  installed = true;
  const RealDate = Date;
  const realNow = Date.now.bind(Date);
  const now = (): number => scopes.getStore()?.world.nowMs() ?? realNow();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.prototype.constructor = globalThis.Date;
  RealDate.now = now;

  const realRandom = Math.random;
  Math.random = () => {
    const scope = repeatedScope();
    return scope === undefined ? realRandom() : randomOf(scope)();
  };

  const realUuid = crypto.randomUUID;
  const uuid = ((options?: crypto.RandomUUIDOptions) => {
    const scope = repeatedScope();
    return scope === undefined ? realUuid(options) : uuidFrom(randomOf(scope));
  }) as typeof crypto.randomUUID;
  crypto.randomUUID = uuid;
  globalThis.crypto.randomUUID = uuid;
  syncBuiltinESMExports();
  watchAsyncWaits();
}

type WaitAsync = (...args: [Int32Array, number, number, number?]) => { async: boolean; value: unknown };

/** A wait without a thread is no work that Node could show: the process it belongs to is told. */
function watchAsyncWaits(): void {
  const atomics = Atomics as unknown as { waitAsync?: WaitAsync };
  const realWait = atomics.waitAsync;
  if (realWait === undefined) return;
  atomics.waitAsync = (...args) => {
    const answer = realWait(...args);
    const { foreign } = scopes.getStore()?.world ?? {};
    if (answer.async) foreign?.waits(answer.value as Promise<unknown>, args[3] ?? Number.POSITIVE_INFINITY);
    return answer;
  };
}

/** What an event from outside asks for comes in no replay, and must not use up numbers that do. */
function repeatedScope(): Scope | undefined {
  const scope = scopes.getStore();
  return scope === undefined || outsideEvent(scope.world.foreign) !== undefined ? undefined : scope;
}

/** The scope's own stream of random numbers, so that branches do not depend on each other's order. */
function randomOf(scope: Scope): () => number {
  scope.random ??= randomStream(`${scope.world.seed}\n${scope.path}`);
  return scope.random;
}

/** A small generator (sfc32) seeded by a hash: well spread, and the same everywhere. */
function randomStream(seed: string): () => number {
  const hash = crypto.createHash("sha256").update(seed).digest();
  let [a, b, c, d] = [hash.readUInt32LE(0), hash.readUInt32LE(4), hash.readUInt32LE(8), hash.readUInt32LE(12)];
  return () => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
}

function uuidFrom(random: () => number): `${string}-${string}-${string}-${string}-${string}` {
  const bytes = Array.from({ length: 16 }, () => Math.floor(random() * 256));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
