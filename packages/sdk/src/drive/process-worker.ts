/** The program that hosts the process of a run, seen from the driver. */
import { type ChildProcess, fork } from "node:child_process";
import type { Readable } from "node:stream";
import { refusedBySystem } from "../model/errno.js";
import { ERROR_CODES, type ErrorCode } from "../model/error-codes.js";
import { BabysitterError } from "../model/errors.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import type { WorkerAnswers, WorkerCall, WorkerMessage, WorkerRequest } from "./worker-protocol.js";

export interface WorkerOptions {
  /** The file to run, and its arguments. */
  program: string;
  args: string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** How long the process may keep its thread busy. */
  turnLimitMs: number;
  /** What the process prints. */
  onLine: (line: string) => void;
}

/** The code has changed since the program loaded it. */
export class StaleCode extends Error {}

interface OpenCall {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
  lastBeat: number;
}

const MAX_LINE = 64 * 1024;
const CLOSE_LIMIT_MS = 10_000;
/** Enough to see a loop without end soon after the limit. */
const LOOKS_PER_LIMIT = 4;

export class ProcessWorker {
  /** The process has something to record although nothing new was given to it. */
  onLate: () => void = () => undefined;
  readonly #options: WorkerOptions;
  readonly #child: ChildProcess;
  readonly #open = new Map<number, OpenCall>();
  readonly #exited: Promise<void>;
  #nextId = 1;
  #watch: NodeJS.Timeout | undefined;
  #ended: BabysitterError | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    // A session of its own: Ctrl-C in the terminal is for the driver, which ends the process cleanly.
    this.#child = fork(options.program, options.args, {
      cwd: options.cwd,
      env: options.env,
      execArgv: [],
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    // Without descriptors there are no streams either.
    for (const stream of [this.#child.stdout, this.#child.stderr]) if (stream) this.#readLines(stream);
    this.#child.on("message", (message) => this.#take(message as WorkerMessage));
    this.#exited = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#end(refusedBySystem(error) ?? died(`it could not be started: ${error.message}`));
        resolve();
      });
      this.#child.once("exit", (code, signal) => {
        this.#end(died(signal === null ? `it exited with ${code ?? "no code"}` : `it was killed by ${signal}`));
        resolve();
      });
    });
  }

  /** One call; rejects with {@link StaleCode} when a new program is needed. */
  call<C extends WorkerCall>(call: C): Promise<WorkerAnswers[C["call"]]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject, lastBeat: performance.now() });
      this.#watchBeats();
      const request: WorkerRequest = { id, ...call };
      this.#child.send(request, (error) => {
        if (error !== null) this.#settle(id, (open) => open.reject(this.#ended ?? died(error.message)));
      });
    });
  }

  /** Lets the process end cleanly; what does not end is ended. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.kill(), CLOSE_LIMIT_MS);
    await this.call({ call: "close" }).catch(() => undefined);
    this.kill();
    await this.#exited;
    clearTimeout(timer);
  }

  /** Ends the program and what its process has started in the same group. */
  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }

  #readLines(stream: Readable): void {
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("data", (piece: string) => {
      const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/u);
      rest = lines.pop() ?? "";
      // A process that prints without ever ending a line must not fill our memory.
      if (rest.length > MAX_LINE) lines.push(rest);
      if (rest.length > MAX_LINE) rest = "";
      for (const line of lines) this.#options.onLine(line);
    });
    stream.on("end", () => void (rest !== "" && this.#options.onLine(rest)));
  }

  #take(message: WorkerMessage): void {
    if ("late" in message) return this.onLate();
    if ("beat" in message) {
      for (const open of this.#open.values()) open.lastBeat = performance.now();
      return;
    }
    this.#settle(message.id, (open) => {
      if ("stale" in message) open.reject(new StaleCode("The code has changed."));
      else if ("error" in message) open.reject(errorOf(message.error));
      else open.resolve(message.value as never);
    });
  }

  #settle(id: number, how: (open: OpenCall) => void): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    if (this.#open.size === 0) clearInterval(this.#watch);
    how(open);
  }

  #watchBeats(): void {
    const { turnLimitMs } = this.#options;
    clearInterval(this.#watch);
    this.#watch = setInterval(() => {
      const now = performance.now();
      const silent = [...this.#open.values()].some(({ lastBeat }) => now - lastBeat > turnLimitMs);
      // If we stood still ourselves, its beats have come and wait to be read in this turn of the event loop.
      if (silent) setImmediate(() => this.#endIfSilent());
    }, turnLimitMs / LOOKS_PER_LIMIT);
  }

  #endIfSilent(): void {
    const { turnLimitMs } = this.#options;
    const now = performance.now();
    if (![...this.#open.values()].some(({ lastBeat }) => now - lastBeat > turnLimitMs)) return;
    this.#end(spins(turnLimitMs));
    this.kill();
  }

  #end(error: BabysitterError): void {
    this.#ended ??= error;
    for (const id of this.#open.keys()) this.#settle(id, (open) => open.reject(this.#ended as BabysitterError));
    clearInterval(this.#watch);
  }
}

function died(how: string): BabysitterError {
  return new BabysitterError("PROCESS_DIED", `The program that runs the process ended: ${how}.`, {
    hint: "Nothing recorded is lost: run the same command again to resume. If it happens again, check the process for native modules or high memory use.",
  });
}

function spins(limit: number): BabysitterError {
  return new BabysitterError(
    "PROCESS_SPINS",
    `The process blocked the thread for more than ${limit} ms; it was killed.`,
    {
      hint: "Look for a loop that never ends or never awaits. Move long computations to a task; BABYSITTER_TURN_LIMIT_MS raises the limit.",
    },
  );
}

/** A documented error as it came over. */
export function errorOf(document: JsonObject): BabysitterError {
  const { code, message, hint, details } = document;
  const known = typeof code === "string" && Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : "INTERNAL";
  return new BabysitterError(known, typeof message === "string" ? message : "Unknown error.", {
    ...(typeof hint === "string" ? { hint } : {}),
    ...(isJsonObject(details) ? { details } : {}),
  });
}
