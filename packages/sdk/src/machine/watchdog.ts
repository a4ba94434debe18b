/** A loop without an await blocks the thread, signals included; so another thread has to notice it and to end the program. */
import { Worker } from "node:worker_threads";
import { BabysitterError } from "../model/errors.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface LastWords {
  fd: number;
  text: string;
}

export interface Watchdog {
  /** How long the thread may be blocked. */
  limitMs: number;
  /** Said before the end. */
  lastWords: LastWords;
  /** Waiting for a slow disk does not count, only computing does. */
  onlyComputing: boolean;
}

const LIMIT_MS = 60_000;
/** So many looks in a row must find nothing. */
const LOOKS = 4;

/** How long the thread may be busy without a pause. */
export function turnLimitOf(env: Environment): number {
  return Number(env["BABYSITTER_TURN_LIMIT_MS"]) || LIMIT_MS;
}

/** Returns what to call when long work gets on. */
export function startWatchdog({ limitMs, lastWords: { fd, text: message }, onlyComputing }: Watchdog): () => void {
  const pauseMs = limitMs / LOOKS;
  const beat = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { beat, pauseMs, looks: LOOKS, message, fd, onlyComputing, pid: process.pid };
  new Worker(THREAD, { eval: true, stdin: false, workerData }).unref();
  const getOn = (): void => void Atomics.add(beat, 0, 1);
  setInterval(getOn, Math.min(1_000, pauseMs)).unref();
  return getOn;
}

/**
 * For programs of ours that stay: should one spin, it would never end by itself, and hear no signal. Those that have
 * long computations to do call what it returns, again and again.
 */
export function endWhenSpinning(env: Environment): () => void {
  const limitMs = turnLimitOf(env);
  const {
    code,
    message,
    hint = "",
  } = new BabysitterError(
    "INTERNAL",
    `This program was busy for more than ${limitMs} ms without a pause, so it ended itself.`,
    { hint: "This is a bug in babysitter; please report it. Nothing acknowledged is lost: run the command again." },
  );
  const lastWords = { fd: 2, text: `error ${code}: ${message}\n  ${hint}\n` };
  return startWatchdog({ limitMs, lastWords, onlyComputing: true });
}

const THREAD = `
const { beat, pauseMs, looks, message, fd, onlyComputing, pid } = require("node:worker_threads").workerData;
const computed = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
for (let last = -1, silent = 0, before = computed(); ; ) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  const [now, used] = [Atomics.load(beat, 0), computed()];
  const isBusy = !onlyComputing || used - before > pauseMs / 20;
  silent = now === last && isBusy ? silent + 1 : 0;
  [last, before] = [now, used];
  if (silent < looks) continue;
  try { require("node:fs").writeSync(fd, message); } catch {}
  process.kill(pid, "SIGKILL");
}
`;
