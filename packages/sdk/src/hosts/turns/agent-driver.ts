/**
 * Drives a run with an agent: starts the host for one turn after the other, and between them does everything that
 * needs no model itself: replays the process, waits for people, for the time, and for tasks.
 */

import {
  type AgentStanding,
  afterFailure,
  afterLimit,
  afterTurn,
  afterWaiting,
  NO_TURNS,
  nextAgentStep,
  type RetryPlan,
  type TurnRecord,
  textOfTurn,
} from "../../drive/agent-turns.js";
import type { StopReason } from "../../drive/ending.js";
import type { Progress } from "../../drive/progress.js";
import type { Questions } from "../../drive/questions.js";
import { WakeUp } from "../../drive/wake-up.js";
import { isLasting } from "../../loop/rules/host-errors.js";
import { pauseLoop } from "../../loop-runs/change-loop.js";
import { failTurn } from "../../loop-runs/fail-turn.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import type { LoopState } from "../../model/loop-state.js";
import { hasProcess, isFinished, statusOf } from "../../model/run-state.js";
import { shownTime } from "../../model/shown-amounts.js";
import { performerOf } from "../../model/task-kinds.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { DrivenTurn, RunningTurn } from "./host-program.js";
import type { TurnOutcome } from "./turn-outcome.js";
import { continueText, firstText } from "./turn-texts.js";

/** The session of the host that a driver works with. */
export interface AgentSession {
  sessionId: string;
  /** The host may have seen it. */
  known: boolean;
}

export interface AgentDriverOptions {
  journal: RunJournal;
  session: AgentSession;
  startTurn: (turn: DrivenTurn) => RunningTurn;
  /** What to do when there is no such program. */
  notFoundHint: string;
  /** Judges a turn at whose end no hook of the host has done so. */
  endTurn: (message: string | undefined) => Promise<void>;
  /** Replays the process; undefined when it went through, else what was wrong. */
  iterate: () => Promise<string | undefined>;
  /** The code of the process is what the person has agreed to run by starting this driver. */
  isCodeAgreed: () => boolean;
  questions: (onSettled: (problem: unknown) => void) => Questions;
  watch: (onChange: () => void) => () => void;
  report: (progress: Progress) => void;
  /** Wait for input from outside. */
  wait: boolean;
  retries: RetryPlan;
  signal: AbortSignal;
  /** How to name the run to the agent. */
  name: string;
}

type FailedTurn = Extract<TurnOutcome, { kind: "failed" }>;

export class AgentDriver {
  readonly #options: AgentDriverOptions;
  readonly #wake = new WakeUp();
  readonly #questions: Questions;
  #turns: TurnRecord = NO_TURNS;
  #known: boolean;
  /** The host has said twice in a row that it does and does not know the session. */
  #flips = 0;
  #turn: RunningTurn | undefined;
  #seen = { lastResolution: -1, processHead: -1 };
  /** What kept the process from continuing; the agent learns of it from its own iteration. */
  #obstacle: string | undefined;
  #asked = "";
  #fatal: unknown;

  constructor(options: AgentDriverOptions) {
    this.#options = options;
    this.#known = options.session.known;
    this.#questions = options.questions((problem) => (problem === undefined ? this.#wake.call() : this.fail(problem)));
  }

  /** Ends the turn cleanly; a second call ends it at once. */
  interrupt(): void {
    this.#questions.withdraw();
    this.#turn?.stop("the driver was stopped");
    this.#wake.call();
  }

  fail(problem: unknown): void {
    this.#fatal ??= problem;
    this.interrupt();
  }

  async run(): Promise<StopReason> {
    const stopWatching = this.#options.watch(() => this.#wake.call());
    try {
      return await this.#loop();
    } finally {
      stopWatching();
      this.#questions.withdraw();
      // Whatever went wrong here, no host is left running.
      this.#turn?.stop("the driver has ended");
      await this.#turn?.outcome;
    }
  }

  async #loop(): Promise<StopReason> {
    const { journal, signal, retries } = this.#options;
    for (;;) {
      await journal.catchUp();
      if (this.#fatal !== undefined) throw this.#fatal;
      if (signal.aborted) return "interrupted";
      const nowMs = journal.ports.clock.now().getTime();
      const step = nextAgentStep(this.#standing(), this.#turns, { nowMs, most: retries.most });
      if (step.do === "end") return "finished";
      if (step.do === "give up") await this.#giveUp(step);
      else if (step.do === "iterate") await this.#iterate();
      else if (step.do === "turn") await this.#takeTurn();
      else if (step.do === "wait") await this.#waitUntil(step.untilMs - nowMs, step.for);
      else if (!(await this.#ask())) return "waiting";
    }
  }

  #state(): LoopState {
    const { loop } = this.#options.journal.summary;
    if (loop === undefined) throw new BabysitterError("INTERNAL", "The agent's run has lost its loop.");
    return loop;
  }

  #isOurs(): boolean {
    return this.#state().session?.sessionId === this.#options.session.sessionId;
  }

  #standing(): AgentStanding {
    const { journal } = this.#options;
    const { summary } = journal;
    const loop = this.#state();
    const isOver = loop.ended !== undefined || loop.paused !== undefined || summary.cancelled !== undefined;
    if (!isOver && !this.#isOurs()) throw taken(journal, loop);
    const { openQuestions, sleepsUntil } = runViewOf(journal);
    const pending = isFinished(summary) ? [] : Object.values(summary.pending);
    return {
      isOver,
      questions: openQuestions,
      sleepsUntilMs: sleepsUntil === undefined ? undefined : Date.parse(sleepsUntil),
      onlyTasks: pending.length > 0 && pending.every(({ kind }) => isOursToExecute(kind)),
      process: this.#process(),
    };
  }

  #process(): AgentStanding["process"] {
    const { summary } = this.#options.journal;
    const isOpen = hasProcess(summary.created) && !isFinished(summary) && statusOf(summary) !== "failed";
    const { lastResolution, processHead } = this.#seen;
    const isNew = summary.lastResolution > lastResolution || summary.processHead > processHead;
    if (isNew) this.#obstacle = undefined;
    if (!isOpen || this.#obstacle !== undefined || !this.#options.isCodeAgreed()) return "not ours";
    return isNew ? "news" : "seen";
  }

  async #iterate(): Promise<void> {
    const { journal, iterate, report, signal } = this.#options;
    await journal.catchUp();
    // A result that comes while the process is replayed may not have been seen by it.
    const { lastResolution } = journal.summary;
    const problem = await iterate();
    await journal.catchUp();
    this.#seen = { lastResolution, processHead: journal.summary.processHead };
    if (problem === undefined) journal.forgetError();
    if (problem === undefined || signal.aborted) return;
    this.#obstacle = problem;
    report({ type: "notice", text: `The process could not continue: ${problem}` });
  }

  async #waitUntil(ms: number, what: "sleep" | "tasks" | "retry"): Promise<void> {
    await this.#wake.wait(ms);
    if (what === "sleep") this.#turns = afterWaiting(this.#turns);
    // Whoever executes them may have been killed: the next iteration looks after that.
    if (what === "tasks") this.#seen = { lastResolution: -1, processHead: -1 };
  }

  /** False when there is nobody here to wait for. */
  async #ask(): Promise<boolean> {
    const { journal, report, wait } = this.#options;
    const open = Object.values(journal.summary.pending).filter(({ kind }) => kind === "breakpoint");
    this.#turns = afterWaiting(this.#turns);
    this.#questions.dropSettled();
    this.#questions.put(open);
    if (!wait && !this.#questions.asking) return false;
    const ids = open.map(({ effectId }) => effectId).join(" ");
    if (ids !== this.#asked && !this.#questions.asking)
      report({
        type: "notice",
        text: `Waiting for a person; the agent is idle. To answer: babysitter breakpoint:approve ${open[0]?.effectId ?? ""}, or breakpoint:reject with --reason`,
      });
    this.#asked = ids;
    await this.#wake.wait(undefined);
    return true;
  }

  async #giveUp({ code, why }: { code: string; why: string }): Promise<void> {
    await pauseLoop(this.#options.journal, { code, message: why, by: "engine" });
  }

  async #takeTurn(): Promise<void> {
    const { journal, session, startTurn, report } = this.#options;
    const text = await this.#text();
    const before = journal.summary.head.seq;
    const { iteration, contract } = this.#state();
    const limit = contract.limits.iterations > 0 ? `/${contract.limits.iterations}` : "";
    report({
      type: "notice",
      text: `Starting the agent's turn: iteration ${iteration}${limit}, session ${session.sessionId}`,
    });
    this.#turn = startTurn({ sessionId: session.sessionId, known: this.#known, text });
    const outcome = await this.#watchTurn(this.#turn);
    this.#turn = undefined;
    await journal.catchUp();
    if (this.#options.signal.aborted || this.#fatal !== undefined) return;
    await this.#conclude(outcome, before);
  }

  /** Follows what the agent does to the run, and stops when someone cancels the run or takes it over. */
  async #watchTurn(turn: RunningTurn): Promise<TurnOutcome> {
    const { journal } = this.#options;
    for (;;) {
      const outcome = await Promise.race([turn.outcome, this.#wake.wait(undefined)]);
      if (outcome !== undefined) {
        // Nobody is waiting any longer, and a leftover timer would keep the command alive.
        this.#wake.call();
        return outcome;
      }
      await journal.catchUp();
      if (journal.summary.cancelled !== undefined) turn.stop("the run was cancelled");
      else if (!this.#isOurs()) turn.stop("another session is working on the run");
    }
  }

  async #text(): Promise<string> {
    const { journal, name } = this.#options;
    const loop = this.#state();
    const told = await this.#told(loop);
    const { processHead, lastResolution } = journal.summary;
    const kind = textOfTurn({ known: this.#known, told, work: Math.max(processHead, lastResolution) });
    if (kind === "first") return firstText(journal, loop, name);
    return kind === "told" && told !== undefined ? told.text : continueText(journal, loop, name);
  }

  async #told({ lastStop }: LoopState): Promise<{ text: string; code: string; work: number } | undefined> {
    const { journal, session } = this.#options;
    if (lastStop === undefined || lastStop.sessionId !== session.sessionId) return undefined;
    const { type, payload } = await journal.ports.store.readAt(journal.runId, lastStop);
    if (type !== "STOP_HOOK_INVOKED" || payload.told === undefined) return undefined;
    return { text: payload.told, code: payload.reason, work: payload.sample?.work ?? -1 };
  }

  async #conclude(outcome: TurnOutcome, before: number): Promise<void> {
    const { endTurn } = this.#options;
    if (outcome.kind === "not started") throw notStarted(outcome.why, this.#options.notFoundHint);
    if (outcome.kind === "session known" || outcome.kind === "session unknown") return this.#flip(outcome.kind);
    this.#flips = 0;
    if (outcome.kind === "stopped") return;
    // A turn that fails has usually started; if not, the host says so.
    this.#known = true;
    if (outcome.kind === "failed") return this.#failed(outcome);
    if (!this.#wasJudged(before)) await endTurn(outcome.message);
    this.#turns = afterTurn(this.#turns, this.#wasJudged(before) && this.#state().lastStop?.decision === "block");
  }

  /** A hook of the host, or we ourselves, have decided about a turn that began after this event. */
  #wasJudged(before: number): boolean {
    const { lastStop } = this.#state();
    return lastStop !== undefined && lastStop.seq > before && lastStop.sessionId === this.#options.session.sessionId;
  }

  /** A killed driver may have left a session that has, or has not, started. */
  async #flip(said: "session known" | "session unknown"): Promise<void> {
    this.#flips += 1;
    this.#known = said === "session known";
    if (this.#flips > 1)
      await this.#failed({ why: `the host contradicts itself about session ${this.#options.session.sessionId}` });
  }

  async #failed({ why, error, limitedUntilMs: untilMs }: Omit<FailedTurn, "kind">): Promise<void> {
    const { journal, session, retries, report } = this.#options;
    const now = journal.ports.clock.now();
    const failed = { why, lasting: isLasting(error) };
    this.#turns =
      untilMs === undefined
        ? afterFailure(this.#turns, failed, now.getTime(), retries)
        : afterLimit(this.#turns, { why, untilMs }, now.getTime(), retries);
    const step = nextAgentStep(this.#standing(), this.#turns, { nowMs: now.getTime(), most: retries.most });
    const retryAt = step.do === "wait" && step.for === "retry" ? new Date(step.untilMs).toISOString() : undefined;
    const { sessionId } = session;
    const failure = { sessionId, error: error ?? "unknown", message: why, report: `driver.${now.toISOString()}` };
    await failTurn(journal, { ...failure, by: "driver", ...defined({ retryAt }) }, { at: now });
    report({ type: "notice", text: `The turn failed: ${why}.${nextTry(retryAt, now)}` });
  }
}

/** Nothing when there is no next try: what ended the driver's patience follows. */
function nextTry(retryAt: string | undefined, now: Date): string {
  if (retryAt === undefined) return "";
  const seconds = Math.round((Date.parse(retryAt) - now.getTime()) / 1000);
  return ` Next try in ${seconds} s (${shownTime(retryAt)}).`;
}

function taken({ runId }: RunJournal, { session }: LoopState): BabysitterError {
  const by = session === undefined ? "was released" : `is now being worked on by session ${session.sessionId}`;
  return new BabysitterError("SESSION_BOUND", `Run ${runId} ${by}; the agent driven here has stopped.`, {
    hint: session === undefined ? "It belongs to no session now." : "That session continues it.",
    details: { runId, ...defined({ sessionId: session?.sessionId }) },
  });
}

function notStarted(why: string, hint: string): BabysitterError {
  return new BabysitterError("INPUT_NOT_FOUND", `The agent's host cannot be started: ${why}`, { hint });
}

/** What `run:iterate` does without an agent. */
function isOursToExecute(kind: string): boolean {
  const performer = performerOf(kind);
  return performer === "engine" || performer === "worker";
}
