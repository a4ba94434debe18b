/** A child from its start to the end of everything it has left behind. */
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import type { ProcessGroupRef } from "../model/events.js";
import type { CappedLog } from "./capped-log.js";
import { CapturedStream } from "./captured-stream.js";
import { type EndReport, endSurvivors } from "./end-process-group.js";
import { refOf } from "./process-group-ref.js";
import { RecentOutput } from "./recent-output.js";
import { SecretMask } from "./secret-mask.js";
import {
  DEFAULT_GRACE_MS,
  type RunningProcess,
  type SpawnOutcome,
  type SpawnRequest,
  type SpawnResult,
} from "./spawn-request.js";
import { type Survivors, survivorsOf } from "./survivors.js";

export interface ChildLogs {
  stdout: CappedLog;
  stderr: CappedLog;
}

export interface StartedChild {
  child: ChildProcess;
  /** What it prints. */
  stdout: Readable;
  stderr: Readable;
}

interface Streams {
  stdout: CapturedStream;
  stderr: CapturedStream;
}

interface Exit {
  exitCode: number | null;
  signal: string | null;
}

/** Timers wrap around above this, and would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class ChildRun implements RunningProcess {
  readonly pid: number;
  readonly group: ProcessGroupRef;
  readonly result: Promise<SpawnResult>;
  readonly #request: SpawnRequest;
  readonly #survivors: Survivors;
  readonly #recent = new RecentOutput();
  readonly #hurry = new AbortController();
  #exited = false;
  #outcome: SpawnOutcome = "exited";
  #stopReason: string | undefined;
  #stops = 0;
  #ending: Promise<EndReport> | undefined;
  /** Called when not even SIGKILL has ended the child, so that nobody waits for it any longer. */
  #giveUp: () => void = () => undefined;

  constructor(request: SpawnRequest, started: StartedChild, pid: number, logs: ChildLogs) {
    this.#request = request;
    this.pid = pid;
    // The pid is the child's for sure: it is not free before the event loop has taken the exit code.
    this.group = refOf(pid, request.marker);
    this.#survivors = survivorsOf(this.group, true);
    this.result = this.#run(started.child, {
      stdout: this.#capture(started.stdout, logs.stdout),
      stderr: this.#capture(started.stderr, logs.stderr),
    });
  }

  async stop(reason: string): Promise<void> {
    this.#stops += 1;
    if (this.#stops > 1) this.#hurry.abort();
    if (!this.#exited) this.#endAs("stopped", reason);
    await this.result;
  }

  onOutput(listener: (lastLine: string) => void): () => void {
    return this.#recent.subscribe(listener);
  }

  tail(): string {
    return this.#recent.text();
  }

  async #run(child: ChildProcess, streams: Streams): Promise<SpawnResult> {
    const startedAt = new Date();
    const started = performance.now();
    const timer = this.#startTimer();
    const exit = await this.#exitOf(child);
    clearTimeout(timer);
    const finishedAt = new Date();
    const durationMs = Math.round(performance.now() - started);
    const { escapees, survivors } = await this.#endTheRest();
    return {
      ...exit,
      outcome: this.#outcome,
      ...(this.#stopReason === undefined ? {} : { stopReason: this.#stopReason }),
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      durationMs,
      stdout: streams.stdout.finish(),
      stderr: streams.stderr.finish(),
      escapees,
      survivors,
    };
  }

  #capture(source: Readable, log: CappedLog): CapturedStream {
    const mask = new SecretMask(this.#request.secrets ?? []);
    return new CapturedStream(source, { log, mask, recent: this.#recent });
  }

  #startTimer(): NodeJS.Timeout | undefined {
    const { timeoutMs } = this.#request;
    if (timeoutMs === undefined) return undefined;
    // If we were busy, the child may have ended long ago; we get to know it in this turn of the event loop.
    const checkLast = (): unknown => setImmediate(() => !this.#exited && this.#endAs("timed-out"));
    return setTimeout(checkLast, Math.min(timeoutMs, MAX_TIMER_MS));
  }

  #exitOf(child: ChildProcess): Promise<Exit> {
    return new Promise((resolve) => {
      const settle = (exitCode: number | null, signal: string | null): void => {
        this.#exited = true;
        resolve({ exitCode, signal });
      };
      // Not `close`, which waits for everyone who has inherited a stream.
      child.once("exit", settle);
      child.on("error", () => undefined);
      this.#giveUp = () => {
        child.unref();
        settle(null, null);
      };
    });
  }

  /** The first reason stays. */
  #endAs(outcome: SpawnOutcome, reason?: string): void {
    if (this.#outcome === "exited") {
      this.#outcome = outcome;
      this.#stopReason = reason;
    }
    void this.#end().then(({ survivors }) => survivors > 0 && this.#giveUp());
  }

  async #endTheRest(): Promise<EndReport> {
    const leave = this.#request.leaveRunning === true && this.#ending === undefined;
    return leave ? { ended: 0, escapees: 0, survivors: 0 } : this.#end();
  }

  /** Begun by a timeout or a stop it includes the child itself; it ends when nothing at all is left. */
  #end(): Promise<EndReport> {
    const { graceMs = DEFAULT_GRACE_MS } = this.#request;
    this.#ending ??= endSurvivors(this.#survivors, graceMs, this.#hurry.signal);
    return this.#ending;
  }
}
