/**
 * Drives a run until it ends or needs input from outside. The process lives in a separate program,
 * which is given every new result; tasks are executed here. What happens is told as progress events.
 */
import { BabysitterError } from "../model/errors.js";
import type { JournalEvent } from "../model/events.js";
import { defined } from "../model/json.js";
import { type RunStatus, statusOf } from "../model/run-state.js";
import type { AnswersPolicy, DecisionSource } from "../model/who-may-decide.js";
import { iterationEndMoment, iterationMoment } from "../runs/iterate-with-hooks.js";
import type { PostRequest } from "../runs/post-result.js";
import { endProcessGroup } from "../spawn/end-process-group.js";
import { refOf } from "../spawn/process-group-ref.js";
import { endingOf, type StopReason } from "./ending.js";
import { type HeldLease, holdLease, leaseLost } from "./lease.js";
import { MomentQueue } from "./moment-queue.js";
import { type Plan, planNext } from "./plan.js";
import { errorOf, type ProcessWorker, StaleCode } from "./process-worker.js";
import type { Asker, Ending } from "./progress.js";
import { type BreakpointPolicy, Questions } from "./questions.js";
import { Results } from "./results.js";
import { RunningAttempts } from "./running-attempts.js";
import { takeOver } from "./takeover.js";
import type { TaskRunnerOptions } from "./task-runner.js";
import { WakeUp } from "./wake-up.js";
import type { SeenByProcess, WorkerPost } from "./worker-protocol.js";

export interface DriverOptions extends Omit<TaskRunnerOptions, "signal"> {
  /** Starts the program that hosts the process. */
  startWorker: () => ProcessWorker;
  /** A host that is there already, such as the one that created the run. */
  firstWorker: ProcessWorker | undefined;
  asker: Asker | undefined;
  policy: BreakpointPolicy | undefined;
  user: string;
  /** Wait for input from outside. */
  wait: boolean;
  /** The process sees the failures of a failed run although its code has changed. */
  keepFailures: boolean;
  /** Where answers from the terminal come from, and whose answers count. */
  source: DecisionSource;
  answers: AnswersPolicy;
  /** How to name the run in commands that the user can copy. */
  name: string;
}

/** A fresh host is started this many times for code that keeps changing, before the driver gives up. */
const MAX_RESTARTS = 100;

/** The process host may die this many times in a row before the driver gives up: memory runs short now and then. */
const MAX_DEATHS = 3;

/** How long the work that a process left running may take to end. */
const LEFTOVER_GRACE_MS = 2_000;

/** A running iteration may finish by itself after Ctrl-C; killing it does no harm. */
const ITERATION_GRACE_MS = 2_000;

export class Driver {
  readonly #options: DriverOptions;
  readonly #wake = new WakeUp();
  readonly #room: RunningAttempts;
  readonly #questions: Questions;
  readonly #moments: MomentQueue;
  #host: ProcessWorker | undefined;
  #restarts = 0;
  #deaths = 0;
  #lease: HeldLease | undefined;
  #seen: SeenByProcess = { lastResolution: -1, processHead: -1 };
  #isIterating = false;
  /** The process has gone on with a result, without an iteration. */
  #hasGoneOn = false;
  /** Why the process could not continue the last time; results of running tasks are still accepted. */
  #obstacle: BabysitterError | undefined;
  #fatal: BabysitterError | undefined;
  #interrupts = 0;
  /** The process has asked for something, or has ended, by itself. */
  #isLate = false;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#host = options.firstWorker;
    const onSettled = (problem: unknown): void => {
      if (problem !== undefined) this.#fail(problem);
      this.#wake.call();
    };
    const { journal, hooks, report } = options;
    this.#moments = new MomentQueue({ journal, hooks, onSettled });
    const recorded = (event: JournalEvent): void => this.#moments.tell(event);
    const results = new Results({
      journal,
      worker: () => this.#idleHost(),
      onPosted: (answer) => this.#noteSeen(answer),
      onDeath: (error) => this.#noteDeath(error),
      tell: recorded,
    });
    journal.observe((event) => {
      report({ type: "event", event, past: false });
      if (results.takes(event)) recorded(event);
      else this.#moments.observe(event);
    });
    const post = (request: PostRequest): Promise<void> => results.post(request);
    this.#room = new RunningAttempts({ ...options, onSettled, post, isBeingEnded: () => this.#isBeingEnded() });
    this.#questions = new Questions({ ...options, onSettled, recorded });
  }

  /** Ends cleanly: tasks are stopped and recorded as interrupted. Called again, without patience. */
  interrupt(): void {
    this.#interrupts += 1;
    this.#questions.withdraw();
    const patience = this.#interrupts > 1 ? 0 : ITERATION_GRACE_MS;
    setTimeout(() => this.#host?.kill(), patience).unref();
    if (this.#interrupts > 1) void this.#room.stopAll("the driver was stopped", true);
    else this.#options.report({ type: "notice", text: stoppingText(this.#room.running.size) });
    this.#wake.call();
  }

  /** Ends cleanly because of something that nobody foresaw. */
  abandon(problem: unknown): void {
    this.#fail(problem);
  }

  async run(): Promise<Ending> {
    const { journal, leases, session, name, report } = this.#options;
    let lease: HeldLease | undefined;
    let stopWatching: (() => void) | undefined;
    try {
      lease = await holdLease(leases, journal.runId, {
        session,
        runDir: journal.runDir,
        onLost: () => this.#fail(leaseLost(journal.runId)),
      });
      this.#lease = lease;
      journal.fence = lease.epoch;
      await journal.catchUp();
      await this.#takeOver(lease);
      stopWatching = this.#options.watch(() => this.#wake.call());
      const reason = await this.#loop();
      await this.#room.stopAll(reason === "interrupted" ? "the driver was stopped" : "the run has ended");
      await journal.catchUp();
      await this.#closeHost();
      await this.#moments.idle();
      await journal.readReplay();
      const ending = await endingOf(journal, reason, name);
      report({ type: "ended", ending });
      return ending;
    } catch (error) {
      if (!BabysitterError.is(error)) throw error;
      const ending = await endingOf(journal, { error }, name);
      report({ type: "ended", ending });
      return ending;
    } finally {
      stopWatching?.();
      await this.#room.stopAll("the driver has ended");
      await this.#closeHost();
      await endProcessGroup(refOf(process.pid, session), LEFTOVER_GRACE_MS);
      await lease?.release();
      journal.fence = undefined;
    }
  }

  async #isBeingEnded(): Promise<boolean> {
    if ((await this.#lease?.isLost()) === true) this.#fail(leaseLost(this.#options.journal.runId));
    return this.#interrupts > 0 || this.#fatal !== undefined;
  }

  async #takeOver({ previous }: HeldLease): Promise<void> {
    const { journal, report } = this.#options;
    await this.#moments.catchUp();
    const { ended, interrupted, results } = await takeOver(journal, previous);
    for (const event of results) this.#moments.tell(event);
    if (interrupted.length > 0) {
      const names = interrupted.map(({ title, taskId }) => title ?? taskId).join(", ");
      const stopped = ended === 0 ? "" : `; ${ended} left-over ${ended === 1 ? "process was" : "processes were"} ended`;
      report({ type: "notice", text: `Interrupted before: ${names}${stopped}.` });
    }
  }

  async #loop(): Promise<StopReason> {
    const { journal } = this.#options;
    for (;;) {
      await journal.catchUp();
      if (this.#fatal !== undefined) return { error: this.#fatal };
      if (this.#hasEnded()) return "finished";
      if (this.#interrupts > 0) return "interrupted";
      this.#room.dropSettled();
      this.#questions.dropSettled();
      const plan = this.#plan();
      if (this.#isToIterate(plan)) {
        await this.#iterate();
        await this.#afterIteration();
        continue;
      }
      if (this.#hasGoneOn) {
        await this.#afterIteration();
        continue;
      }
      if (this.#obstacle === undefined) {
        for (const effect of plan.start) this.#room.begin(effect);
        this.#questions.put(plan.questions);
      }
      const verdict = this.#verdict(plan);
      if (verdict !== undefined) return verdict;
      const { wakeAtMs } = plan;
      await this.#wake.wait(wakeAtMs === undefined ? undefined : wakeAtMs - journal.ports.clock.now().getTime());
    }
  }

  /** What could not be done is not tried again before there is something new. */
  #isToIterate({ news, due }: Plan): boolean {
    // What led a process to a refused request does not come again: replayed, it would wait in vain or go on without.
    if (this.#obstacle?.code === "REQUEST_NOT_REPLAYABLE") return false;
    return news || this.#isLate || (due && this.#obstacle === undefined);
  }

  /** A failed run is shown to its process once: changed code opens it again. */
  #hasEnded(): boolean {
    const state = statusOf(this.#options.journal.summary);
    return state === "completed" || state === "cancelled" || (state === "failed" && this.#seen.processHead >= 0);
  }

  /** Hooks may execute kinds of tasks that nobody here can; they post the results themselves. */
  async #afterIteration(): Promise<void> {
    const { journal } = this.#options;
    this.#hasGoneOn = false;
    await journal.catchUp();
    await this.#moments.openQuestions();
    const { iterations } = journal.summary;
    const state = statusOf(journal.summary);
    if (this.#obstacle === undefined && state === "waiting") this.#moments.add(iterationMoment(journal, iterations));
    this.#moments.add(iterationEndMoment(journal, iterations, iterationStanding(state)));
  }

  #plan(): Plan {
    const { journal } = this.#options;
    return planNext({
      summary: journal.summary,
      nowMs: journal.ports.clock.now().getTime(),
      running: this.#room.running,
      concurrency: this.#room.limit,
      kinds: this.#room.kinds,
      seenResolution: this.#seen.lastResolution,
      seenProcessHead: this.#seen.processHead,
    });
  }

  /** Undefined while something can still happen by itself. */
  #verdict(plan: Plan): StopReason | undefined {
    if (this.#room.running.size > 0 || this.#questions.asking || this.#moments.busy) return undefined;
    if (this.#obstacle !== undefined) return { error: this.#obstacle };
    if (plan.wakeAtMs !== undefined || this.#options.wait) return undefined;
    return "waiting";
  }

  /** Passes new results to the process. An error that stops it is remembered until the next try. */
  async #iterate(): Promise<void> {
    const { journal, report } = this.#options;
    const { lastResolution, processHead } = journal.summary;
    try {
      this.#host ??= this.#options.startWorker();
      this.#isLate = false;
      this.#host.onLate = () => {
        this.#isLate = true;
        this.#wake.call();
      };
      this.#isIterating = true;
      const answer = await this.#host.call({
        call: "iterate",
        runId: journal.runId,
        ...defined({ fence: journal.fence }),
        ...(this.#options.keepFailures ? { keepFailures: true } : {}),
      });
      this.#seen = answer;
      this.#deaths = 0;
      this.#obstacle = answer.error === undefined ? undefined : errorOf(answer.error);
      if (this.#obstacle === undefined) journal.forgetError();
      for (const text of answer.warnings) report({ type: "notice", text });
      // The end, which names the error, may be hours away.
      if (this.#obstacle !== undefined && this.#room.running.size > 0)
        report({ type: "notice", text: `${this.#obstacle.message} Running tasks may finish.` });
    } catch (error) {
      if (error instanceof StaleCode) return this.#restart();
      this.#host = undefined;
      if (this.#interrupts > 0) return;
      if (!BabysitterError.is(error)) throw error;
      if (error.code === "PROCESS_DIED" && ++this.#deaths < MAX_DEATHS) {
        report({ type: "notice", text: `${error.message} Restarting it.` });
        return;
      }
      this.#deaths = 0;
      this.#seen = { lastResolution, processHead };
      this.#obstacle = error;
      await journal.noteError(error, journal.ports.clock.now().toISOString());
    } finally {
      this.#isIterating = false;
    }
  }

  /** An iteration may take long; results do not wait for it. */
  #idleHost(): ProcessWorker | undefined {
    const isGoingOn = this.#obstacle === undefined && this.#fatal === undefined && this.#interrupts === 0;
    return isGoingOn && !this.#isIterating ? this.#host : undefined;
  }

  #noteSeen({ seen, warnings }: WorkerPost): void {
    for (const text of warnings) this.#options.report({ type: "notice", text });
    if (seen === undefined) return;
    this.#seen = seen;
    this.#hasGoneOn = true;
  }

  /** The next iteration starts another one, and fails if that dies, too. */
  #noteDeath({ message }: BabysitterError): void {
    this.#host = undefined;
    if (this.#interrupts === 0) this.#options.report({ type: "notice", text: `${message} Restarting it.` });
  }

  async #restart(): Promise<void> {
    this.#restarts += 1;
    if (this.#restarts > MAX_RESTARTS) {
      this.#fail(new BabysitterError("PROCESS_DIED", `The process code changed ${MAX_RESTARTS} times.`));
      return;
    }
    this.#options.report({ type: "notice", text: "The process code changed; restarting it." });
    await this.#closeHost();
  }

  async #closeHost(): Promise<void> {
    const host = this.#host;
    this.#host = undefined;
    await host?.close();
  }

  #fail(problem: unknown): void {
    this.#fatal ??= BabysitterError.is(problem)
      ? problem
      : new BabysitterError(
          "INTERNAL",
          problem instanceof Error ? `${problem.name}: ${problem.message}` : String(problem),
          {
            details: { stack: problem instanceof Error ? (problem.stack ?? "") : "" },
          },
        );
    this.#wake.call();
  }
}

function iterationStanding(state: RunStatus): {
  status: "waiting" | "completed" | "failed" | "none";
  reason: string;
  count: number;
} {
  const status = state === "waiting" || state === "completed" || state === "failed" ? state : "none";
  return { status, reason: state, count: 0 };
}

function stoppingText(running: number): string {
  if (running === 0) return "Stopping.";
  return `Stopping ${running === 1 ? "one task" : `${running} tasks`}; press Ctrl-C again to kill ${running === 1 ? "it" : "them"} immediately.`;
}
