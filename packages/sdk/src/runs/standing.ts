/** Where a run stands, told from what its journal says and from who works on it. */

import type { RecordedRequest } from "../model/replay-index.js";
import {
  hasProcess,
  isFinished,
  type PendingEffect,
  type RunStatus,
  type RunSummary,
  statusOf,
} from "../model/run-state.js";
import { shownTime } from "../model/shown-amounts.js";
import { shownLine } from "../model/shown-text.js";
import type { LastError } from "../model/store.js";
import { performerOf } from "../model/task-kinds.js";
import { sleepEnds, waitEnds } from "../model/time-spans.js";
import { clockText } from "./clock-set-back.js";
import type { RunJournal } from "./run-journal.js";
import { stepName } from "./step-facts.js";
import type { WayOn } from "./way-on.js";

/** Who works on a run just now. */
export interface Driving {
  /** `tasks`: executes what is pending, and leaves the process to others. */
  by: "driver" | "tasks" | "nobody";
  /** Such as `process 4711`. */
  who?: string;
}

/** What the journal does not say about where a run stands. */
interface StandingFacts {
  now: Date;
  /** How to name the run in commands. */
  name: string;
  /** What the last iteration ended with, if it could not be finished. */
  lastError?: LastError | undefined;
  /** The last result that a replay has shown to the process. */
  seenResolution?: number | undefined;
  /** Undefined when nobody has looked. */
  driving?: Driving | undefined;
  /** Of a failed run; undefined when nobody has looked. */
  wayOn?: WayOn | undefined;
}

/** Where a run stands, why, and what to do next. */
export interface Standing {
  state: RunStatus;
  /** Why it stands where it stands, in words. */
  why: string;
  /** The command that gets it on, or undefined when there is nothing to do. */
  next: string | undefined;
  needsMoreIterations: boolean;
}

/** The one rule for where a run stands, why, and what to do: every command says what this says. */
export function standingOf(summary: RunSummary, given: StandingFacts): Standing {
  const state = statusOf(summary);
  const needsMoreIterations = isUnseen(summary, state, given);
  const facts = { ...given, needsMoreIterations };
  const clock = isFinished(summary) ? undefined : clockText(summary, given.now);
  return {
    state,
    why: [
      explain(summary, state, facts) + afterthought(given.lastError, state) + brokenOff(summary),
      ...(clock === undefined ? [] : [clock]),
      ...(state === "waiting" ? oldDefinitions(summary, given.name) : []),
    ].join(" "),
    next: nextCommand(summary, state, facts),
    needsMoreIterations,
  };
}

/** Where a run stands and why, as far as its summary and caches tell. */
export function describeBriefly(
  { summary, runId, lastError, lastReplay, ports }: RunJournal,
  driving?: Driving,
): Omit<Standing, "next"> {
  const seenResolution = lastReplay?.lastResolution;
  return standingOf(summary, { now: ports.clock.now(), name: runId, lastError, seenResolution, driving });
}

/** True when an iteration would show the process something that it has not seen yet. */
function isUnseen(summary: RunSummary, state: RunStatus, { now: date, seenResolution }: StandingFacts): boolean {
  if (!hasProcess(summary.created)) return false;
  if (state === "created" || state === "running") return true;
  if (state !== "waiting") return false;
  const now = date.getTime();
  const sleeps = Object.values(summary.pending).filter(({ kind }) => kind === "sleep");
  if (sleeps.some((effect) => (waitEnds(effect, now) ?? now) <= now)) return true;
  // A request that was made after the last result shows that the process has seen it.
  return summary.lastAfter < summary.lastResolution && seenResolution !== summary.lastResolution;
}

/** States that say all there is to say, or have said it already. */
const SAID: ReadonlySet<RunStatus> = new Set(["created", "completed", "blocked", "cancelled"]);

/** What a person must know besides the state: the last iteration failed. */
function afterthought(error: LastError | undefined, state: RunStatus): string {
  return error === undefined || SAID.has(state) ? "" : ` The last iteration ended with ${errorText(error)}`;
}

function errorText({ code, message }: LastError): string {
  return `${code}: ${message.split("\n")[0]}`;
}

/** The agent would be at work, but its host cannot reach the model. */
function brokenOff(summary: RunSummary): string {
  const failure = isFinished(summary) ? undefined : summary.loop?.failure;
  if (failure === undefined) return "";
  const { error, message, times, at, retryAt } = failure;
  const turns = times === 1 ? "The agent's last turn" : `The agent's last ${times} turns`;
  const next = retryAt === undefined || summary.loop?.paused !== undefined ? "" : ` Next try: ${shownTime(retryAt)}.`;
  return ` ${turns} failed with an error of its host (${error}, ${shownTime(at)}): ${shownLine(message)}${next}`;
}

interface Facts extends StandingFacts {
  needsMoreIterations: boolean;
}

function explain(summary: RunSummary, state: RunStatus, facts: Facts): string {
  const { failed } = summary;
  const words: Record<RunStatus, () => string> = {
    created: () => explainCreated(facts),
    running: () => (hasProcess(summary.created) ? explainRunning(facts) : explainLoop(summary.loop)),
    waiting: () => explainWaiting(Object.values(summary.pending), facts),
    blocked: () =>
      `${
        summary.blocked?.code === "GATES_CHANGED"
          ? "Its process has lost breakpoints that people agreed to."
          : "Its process no longer matches its journal."
      }${beforeQuestions(summary)}`,
    failed: () => `Its process threw ${failed?.error.name ?? "Error"}: ${failed?.error.message.split("\n")[0] ?? ""}`,
    completed: () => (hasProcess(summary.created) ? "Its process has returned." : "Its loop has reached its goal."),
    paused: () => `It is paused: ${summary.loop?.paused?.message ?? ""}`,
    cancelled: () =>
      `It was cancelled${summary.cancelled?.reason === undefined ? "." : `: ${summary.cancelled.reason}`}`,
  };
  return words[state]();
}

function explainCreated({ lastError, driving }: Facts): string {
  if (driving?.by === "driver") return "Its process has been started.";
  return lastError === undefined
    ? "It has not been iterated yet."
    : `Its first iteration ended with ${errorText(lastError)}`;
}

function explainRunning({ driving }: Facts): string {
  if (driving?.by === "driver") return "All results are in; its process is at work.";
  return "All results are in; the process has not seen the latest ones yet.";
}

/** Whoever answers a question of a blocked run would wait in vain for what comes of it. */
function beforeQuestions({ pending }: RunSummary): string {
  return Object.values(pending).some(({ kind }) => kind === "breakpoint")
    ? " That comes first: until then an answer to its open question has no effect."
    : "";
}

function explainLoop(loop: RunSummary["loop"]): string {
  if (loop?.session === undefined) return "No agent is working on it yet.";
  return `An agent is working on it, iteration ${loop.iteration}.`;
}

function explainWaiting(pending: PendingEffect[], { needsMoreIterations, now, driving }: Facts): string {
  const [only] = pending;
  const count = `${pending.length} ${pending.length === 1 ? "result" : "results"}`;
  if (needsMoreIterations && driving?.by !== "driver")
    return `The process has not seen the latest results yet; ${count} still pending.`;
  if (pending.length === 1 && only?.kind === "breakpoint") return "Waiting for a human to answer a question.";
  const until = only === undefined ? undefined : sleepEnds(only, now.getTime());
  if (pending.length === 1 && until !== undefined) return `Sleeping until ${shownTime(until)}.`;
  const started = pending.filter((effect) => effect.started !== undefined);
  return started.length > 0
    ? `${driving?.by === "nobody" ? "Interrupted while executing" : "Executing:"} ${namesOf(started)}; waiting for ${count}.`
    : `Waiting for ${awaitedText(pending)}.`;
}

/** A result may come any time for what was asked, so what is pending stays what it was. */
function oldDefinitions({ pending, code }: RunSummary, name: string): string[] {
  const changedAt = code.last?.at;
  const old = Object.values(pending).find(
    ({ kind, requestedAt }) =>
      !["person", "time", "worker"].includes(performerOf(kind)) && changedAt !== undefined && requestedAt < changedAt,
  );
  if (old === undefined) return [];
  const what = shownLine(old.title ?? old.taskId, 60);
  return [
    `The code has changed since "${what}" was requested, which stays as it was requested; for the new code's: babysitter run:fork ${name} --at-task ${old.effectId}`,
  ];
}

function awaitedText(pending: PendingEffect[]): string {
  const [kind = "", ...others] = [...new Set(pending.map((effect) => effect.kind))];
  const all =
    others.length > 0 ? "result" : kind === "breakpoint" ? "answer" : kind === "sleep" ? "sleep" : `${kind} task`;
  return `${pending.length} ${all}${pending.length === 1 ? "" : "s"}`;
}

function namesOf(started: PendingEffect[]): string {
  const names = started.map(({ title, taskId }) => shownLine(title ?? taskId, 60)).slice(0, 3);
  const more = started.length > names.length ? ` and ${started.length - names.length} more` : "";
  return `${names.join(", ")}${more}`;
}

function nextCommand(summary: RunSummary, state: RunStatus, facts: Facts): string | undefined {
  const { name: runId } = facts;
  if (!hasProcess(summary.created)) return nextOfLoop(summary, runId);
  if (state === "completed") return undefined;
  if (state === "cancelled") return `babysitter run:fork ${runId} --at ${summary.head.seq}    (to continue in a copy)`;
  if (state === "failed") return nextOfFailed(facts);
  if (state === "blocked" && summary.blocked?.code === "GATES_CHANGED")
    return `babysitter run:accept-code ${runId}    (or restore the breakpoints, then: babysitter run:iterate ${runId})`;
  if (state === "blocked") return nextWhenBlocked(summary, runId);
  return nextOfOpen(Object.values(summary.pending), facts);
}

function nextOfFailed({ name: runId, wayOn = { is: "correct" } }: Facts): string {
  const [iterate, retry] = [`babysitter run:iterate ${runId}`, `babysitter run:retry ${runId}`];
  switch (wayOn.is) {
    case "copy":
      return `babysitter run:fork ${runId} --at-task ${wayOn.step.effectId}    (repeats ${named([wayOn.step])} in a copy)`;
    case "retry":
      return `${retry}    (retries ${named(wayOn.steps)}; or correct the process, then: ${iterate})`;
    case "ask":
      return `${retry}    (asks ${named(wayOn.steps)} again)`;
    case "correct":
      break;
  }
  return `${iterate}    (after correcting the process; to run it again as it is: ${retry})`;
}

function named(steps: readonly RecordedRequest[]): string {
  return shownLine(steps.map(stepName).join(", "), 60);
}

/** What continues a run that has neither ended nor failed. */
function nextOfOpen(pending: readonly PendingEffect[], { needsMoreIterations, name: runId, driving }: Facts): string {
  const who = driving?.who ?? "another program";
  const isForEngine = pending.some(({ kind, started }) => performerOf(kind) === "engine" || started !== undefined);
  if (driving?.by === "driver" && (needsMoreIterations || isForEngine))
    return `babysitter run:watch ${runId}    (${who} is driving it)`;
  if (needsMoreIterations) return `babysitter run:iterate ${runId}`;
  if (isForEngine)
    return driving?.by === "tasks"
      ? `babysitter run:iterate ${runId}    (waits for the tasks that ${who} executes)`
      : `babysitter run ${runId}    (executes what is pending)`;
  const work = pending.find(({ kind }) => kind !== "sleep");
  if (work === undefined) return `babysitter run:iterate ${runId}    (when the sleep is over)`;
  if (work.kind === "breakpoint")
    return `babysitter breakpoint:approve ${work.effectId}    (or breakpoint:reject ${work.effectId} --reason "…")`;
  return `babysitter task:post ${runId} ${work.effectId} --status ok --value result.json`;
}

/** The same code would be blocked again. */
function nextWhenBlocked({ blocked }: RunSummary, runId: string): string {
  const fork = blocked?.report["fork"];
  return typeof fork === "string"
    ? `${fork}    (continues in a copy; or restore the code, then: babysitter run:iterate ${runId})`
    : `babysitter run:iterate ${runId}    (after correcting the code)`;
}

/** What continues a loop that has no process. */
function nextOfLoop({ loop, cancelled }: RunSummary, runId: string): string | undefined {
  if (loop === undefined || cancelled !== undefined) return undefined;
  if (loop.ended !== undefined) return `babysitter loop:report ${runId}`;
  return loop.paused === undefined && loop.session !== undefined
    ? `babysitter loop:status ${runId}`
    : `babysitter loop:resume ${runId}`;
}
