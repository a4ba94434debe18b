/** Where a run stands, told from what its journal says and from who works on it. */

import { pauseWords } from "../model/pause-words.js";
import type { RecordedRequest } from "../model/replay-index.js";
import { agentOptions } from "../model/resume-command.js";
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
import { type NextWay, waysText, waysToResume } from "./next-ways.js";
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
  /** The same command and every other way, each by itself. */
  ways: NextWay[];
  needsMoreIterations: boolean;
}

/** The one rule for where a run stands, why, and what to do: every command says what this says. */
export function standingOf(summary: RunSummary, given: StandingFacts): Standing {
  const state = statusOf(summary);
  const needsMoreIterations = isUnseen(summary, state, given);
  const facts = { ...given, needsMoreIterations };
  const ways = nextWays(summary, state, facts);
  const clock = isFinished(summary) ? undefined : clockText(summary, given.now);
  return {
    state,
    why: sentences([
      explain(summary, state, facts),
      afterthought(given.lastError, state),
      brokenOff(summary),
      clock,
      ...(state === "waiting" ? oldDefinitions(summary, given.name) : []),
    ]),
    next: waysText(ways),
    ways,
    needsMoreIterations,
  };
}

/** Where a run stands and why, as far as its summary and caches tell. */
export function describeBriefly(
  { summary, runId, lastError, lastReplay, ports }: RunJournal,
  driving?: Driving,
): Omit<Standing, "next" | "ways"> {
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

/** One after the other; words of others may end without a full stop, and keep that only at the very end. */
function sentences(parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .reduce((text, part) => `${text}${/[.!?…:)]$/u.test(text) ? "" : "."} ${part}`);
}

/** What a person must know besides the state: the last iteration failed. */
function afterthought(error: LastError | undefined, state: RunStatus): string | undefined {
  return error === undefined || SAID.has(state) ? undefined : `The last iteration ended with ${errorText(error)}`;
}

function errorText({ code, message }: LastError): string {
  return `${code}: ${message.split("\n")[0]}`;
}

/** The agent would be at work, but its host cannot reach the model. */
function brokenOff(summary: RunSummary): string | undefined {
  const { failure, paused } = summary.loop ?? {};
  if (failure === undefined || isFinished(summary)) return undefined;
  const { error, message, times, at, retryAt } = failure;
  const turns = times === 1 ? "The agent's last turn" : `The agent's last ${times} turns`;
  const next = retryAt === undefined || paused !== undefined ? "" : ` Next try: ${shownTime(retryAt)}.`;
  const words = shownLine(message);
  const what = paused?.message.includes(words) ? "" : `: ${words}`;
  return `${turns} failed with a host error (${error}, ${shownTime(at)})${what}${next}`;
}

interface Facts extends StandingFacts {
  needsMoreIterations: boolean;
}

function explain(summary: RunSummary, state: RunStatus, facts: Facts): string {
  const { failed } = summary;
  const words: Record<RunStatus, () => string> = {
    created: () => explainCreated(facts),
    running: () => (hasProcess(summary.created) ? explainRunning(facts) : explainLoop(summary.loop, facts)),
    waiting: () => explainWaiting(Object.values(summary.pending), facts),
    blocked: () =>
      `${
        summary.blocked?.code === "GATES_CHANGED"
          ? "Its process has lost breakpoints that people agreed to."
          : "Its process no longer matches its journal."
      }${beforeQuestions(summary)}`,
    failed: () => `Its process threw ${failed?.error.name ?? "Error"}: ${failed?.error.message.split("\n")[0] ?? ""}`,
    completed: () => (hasProcess(summary.created) ? "Its process has returned." : "Its loop has reached its goal."),
    paused: () => (summary.loop?.paused === undefined ? "" : pauseWords(summary.loop.paused)),
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
  if (driving?.by === "driver") return "All results are in; its process is running.";
  return "All results are in; it is ready to continue.";
}

/** Whoever answers a question of a blocked run would wait in vain for what comes of it. */
function beforeQuestions({ pending }: RunSummary): string {
  return Object.values(pending).some(({ kind }) => kind === "breakpoint")
    ? " Fix that first: until then, an answer to its open question has no effect."
    : "";
}

/** A session with a person in front of it may have ended without a word. */
function explainLoop(loop: RunSummary["loop"], { driving }: Facts): string {
  if (loop?.session === undefined) return "No agent is working on it yet.";
  const { iteration, session } = loop;
  if (driving?.by === "driver") return `An agent is working on it, iteration ${iteration}.`;
  return session.driver !== undefined && driving?.by === "nobody"
    ? `Nobody drives its agent any more, at iteration ${iteration}.`
    : `It belongs to an agent's session, at iteration ${iteration}.`;
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
    ? `${startedWord(driving)} ${namesOf(started)}; waiting for ${count}.`
    : `Waiting for ${awaitedText(pending)}.`;
}

/** Nobody claims that something is executed unless someone has looked. */
function startedWord(driving: Driving | undefined): string {
  if (driving === undefined) return "Started:";
  return driving.by === "nobody" ? "Interrupted while executing" : "Executing:";
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
    `The code has changed since "${what}" was requested; the request stays as it was. To request it with the new code: babysitter run:fork ${name} --at-task ${old.effectId}`,
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

function nextWays(summary: RunSummary, state: RunStatus, facts: Facts): NextWay[] {
  const { name: runId } = facts;
  if (!hasProcess(summary.created)) return nextOfLoop(summary, facts);
  if (state === "completed") return [];
  if (state === "cancelled")
    return [{ command: `babysitter run:fork ${runId} --at ${summary.head.seq}`, when: "to continue in a copy" }];
  if (state === "failed") return nextOfFailed(facts);
  if (state === "blocked") return nextWhenBlocked(summary, runId);
  return nextOfOpen(summary, facts);
}

function nextOfFailed({ name: runId, wayOn = { is: "correct" } }: Facts): NextWay[] {
  const [iterate, retry] = [`babysitter run:iterate ${runId}`, `babysitter run:retry ${runId}`];
  switch (wayOn.is) {
    case "copy":
      return [
        {
          command: `babysitter run:fork ${runId} --at-task ${wayOn.step.effectId}`,
          does: `repeats ${named([wayOn.step])} in a copy`,
        },
      ];
    case "retry":
      return [
        { command: retry, does: `retries ${named(wayOn.steps)}` },
        { command: iterate, when: "or correct the process, then" },
      ];
    case "ask":
      return [{ command: retry, does: `asks ${named(wayOn.steps)} again` }];
    case "correct":
      break;
  }
  return [
    { command: iterate, when: "after correcting the process" },
    { command: retry, when: "to run it again as it is" },
  ];
}

function named(steps: readonly RecordedRequest[]): string {
  return shownLine(steps.map(stepName).join(", "), 60);
}

/** What continues a run that has neither ended nor failed. */
function nextOfOpen(summary: RunSummary, { needsMoreIterations, name: runId, driving }: Facts): NextWay[] {
  const pending = Object.values(summary.pending);
  const who = driving?.who ?? "another program";
  const [run, iterate] = [runCommand(summary, runId), `babysitter run:iterate ${runId}`];
  const isForEngine = pending.some(({ kind, started }) => performerOf(kind) === "engine" || started !== undefined);
  if (driving?.by === "driver" && (needsMoreIterations || isForEngine))
    return [{ command: `babysitter run:watch ${runId}`, because: `${who} is driving it` }];
  // An agent takes one step after the other; people want the rest of it.
  if (needsMoreIterations) return [{ command: summary.created.session === undefined ? run : iterate }];
  if (isForEngine)
    return driving?.by === "tasks"
      ? [{ command: iterate, does: `waits for the tasks that ${who} executes` }]
      : [{ command: run, does: "executes what is pending" }];
  const work = pending.find(({ kind }) => kind !== "sleep");
  if (work === undefined) return [{ command: iterate, when: "when the sleep is over" }];
  if (work.kind === "breakpoint")
    return [
      { command: `babysitter breakpoint:approve ${work.effectId}` },
      { command: `babysitter breakpoint:reject ${work.effectId} --reason "…"`, when: "or" },
    ];
  return [{ command: `babysitter task:post ${runId} ${work.effectId} --status ok --value result.json` }];
}

/** The same code would be blocked again. */
function nextWhenBlocked({ blocked }: RunSummary, runId: string): NextWay[] {
  const iterate = `babysitter run:iterate ${runId}`;
  if (blocked?.code === "GATES_CHANGED")
    return [
      { command: `babysitter run:accept-code ${runId}` },
      { command: iterate, when: "or restore the breakpoints, then" },
    ];
  const fork = blocked?.report["fork"];
  return typeof fork === "string"
    ? [
        { command: fork, does: "continues in a copy" },
        { command: iterate, when: "or restore the code, then" },
      ]
    : [{ command: iterate, when: "after correcting the code" }];
}

/** What continues a loop that has no process. */
function nextOfLoop(summary: RunSummary, { name: runId, driving }: Facts): NextWay[] {
  const { loop, cancelled } = summary;
  if (loop === undefined || cancelled !== undefined) return [];
  if (loop.ended !== undefined) return [{ command: `babysitter loop:report ${runId}` }];
  const isLeft = loop.session?.driver !== undefined && driving?.by === "nobody";
  return loop.paused === undefined && loop.session !== undefined && !isLeft
    ? [{ command: `babysitter loop:status ${runId}` }]
    : waysToResume(loop, runId, driving);
}

/** What drives it as it was driven before. */
function runCommand({ loop }: RunSummary, runId: string): string {
  const agent = agentOptions(loop);
  return `babysitter run ${runId}${agent === undefined ? "" : ` --agent ${agent}`}`;
}
