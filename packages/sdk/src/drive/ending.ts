/** How driving ended, in words that say what to do next. */

import { codeChangeText } from "../model/code-versions.js";
import { ERROR_CODES, type ExitName } from "../model/error-codes.js";
import type { BabysitterError } from "../model/errors.js";
import { defined, type JsonObject } from "../model/json.js";
import { hasProcess, type PendingEffect, type RunSummary, statusOf } from "../model/run-state.js";
import { performerOf } from "../model/task-kinds.js";
import { readQuestion } from "../runs/asked-question.js";
import { describeFailures } from "../runs/describe-failures.js";
import { describeRun } from "../runs/describe-run.js";
import { wayOnOf } from "../runs/failed-steps.js";
import type { NextWay } from "../runs/next-ways.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { Driving } from "../runs/standing.js";
import { stepName } from "../runs/step-facts.js";
import type { Ending } from "./progress.js";

/** Why the driver stopped, as far as the run's own state does not say it. */
export type StopReason = "finished" | "waiting" | "interrupted" | { error: BabysitterError };

/** `driving`: who drives the run, for those who only look at it. */
export async function endingOf(
  journal: RunJournal,
  reason: StopReason,
  name: string,
  driving?: Driving,
): Promise<Ending> {
  if (typeof reason === "object" && reason.error.code === "RUN_NOT_FOUND") return errorEnding(reason.error, name, []);
  const { summary } = journal;
  const state = statusOf(summary);
  const waitingFor = await pendingOutside(journal);
  if (summary.completed !== undefined) {
    const { output, completionProof } = summary.completed;
    return {
      state: "completed",
      exit: "ok",
      why: [(await describeRun(journal, name)).why, codeChangeText(summary.code)]
        .filter((part) => part !== undefined)
        .join(" "),
      next: [{ command: `babysitter run:events ${name}`, about: "every recorded step" }],
      output: await journal.valueOf(output),
      completionProof,
      waitingFor: [],
    };
  }
  if (typeof reason === "object")
    return { ...errorEnding(reason.error, name, waitingFor), ...blockedState(reason.error) };
  const { why, error, ways } = await describeRun(journal, name, driving);
  const base = { why, waitingFor, ...defined({ error }) };
  if (state === "cancelled")
    return { ...base, state, exit: "cancelled", next: [forkCommand(name, summary.head.seq)], waitingFor: [] };
  if (state === "failed")
    return {
      ...base,
      state,
      exit: exitOfFailure(summary.failed?.error.code),
      failures: await describeFailures(journal),
      next: await failedCommands(journal, name),
    };
  if (state === "blocked") return { ...base, state, exit: "blocked", next: blockedCommands(summary, name) };
  if (reason === "interrupted")
    return {
      ...base,
      state: "interrupted",
      exit: "interrupted",
      why: "Interrupted; nothing is lost.",
      next: [resumeCommand(name)],
    };
  const commands = driving?.by === "driver" ? drivenCommands(journal, ways) : waitingCommands(journal, name);
  return {
    ...base,
    state,
    exit: "waiting",
    next: hasProcess(summary.created) ? commands : loopCommands(summary, ways, driving),
  };
}

export function commandsOf(ways: readonly NextWay[], about = "continue"): Ending["next"] {
  return ways.map(({ command, because, when = about }) => ({
    command,
    about: because === undefined ? when : "watch it",
  }));
}

/** A loop is continued by the agent of its session; without one, or while it is paused, by whoever resumes it. */
function loopCommands({ loop }: RunSummary, ways: readonly NextWay[], driving?: Driving): Ending["next"] {
  if (loop?.ended !== undefined) return commandsOf(ways, "what happened in it");
  const isLeft = loop?.session?.driver !== undefined && driving?.by === "nobody";
  const isHeld = loop?.paused === undefined && loop?.session !== undefined && !isLeft;
  return commandsOf(ways, isHeld ? "where it stands" : "continue");
}

/** Whoever drives it continues by itself; only people are waited for. */
function drivenCommands({ summary }: RunJournal, ways: readonly NextWay[]): Ending["next"] {
  const question = Object.values(summary.pending).find(({ kind }) => kind === "breakpoint");
  return question === undefined ? commandsOf(ways) : answerCommands(question);
}

function errorEnding(error: BabysitterError, name: string, waitingFor: Ending["waitingFor"]): Ending {
  return {
    state: "error",
    exit: ERROR_CODES[error.code].exit,
    why: error.message,
    next: errorCommands(error, name),
    error: error.toDocument().error,
    waitingFor,
  };
}

function errorCommands({ code, details }: BabysitterError, name: string): Ending["next"] {
  if (code === "RUN_DIVERGED") return divergedCommands(details, name);
  if (code === "RUN_BUSY") return [{ command: `babysitter run:status ${name}`, about: "show the status" }];
  if (code === "SESSION_BOUND") return boundCommands(details, name);
  if (code === "RUN_NOT_FOUND") return [];
  return code === "GATES_CHANGED" ? gatesCommands(name) : [resumeCommand(name)];
}

function boundCommands({ sessionId }: JsonObject, name: string): Ending["next"] {
  if (sessionId === undefined) return [resumeCommand(name)];
  const take = { command: `babysitter loop:resume ${name} --take`, about: "take it from that session" };
  return [take, resumeCommand(name, "then resume")];
}

function blockedCommands({ blocked }: RunSummary, name: string): Ending["next"] {
  return blocked?.code === "GATES_CHANGED" ? gatesCommands(name) : divergedCommands(blocked?.report ?? {}, name);
}

function divergedCommands({ fork }: JsonObject, name: string): Ending["next"] {
  const copy = typeof fork === "string" ? [{ command: fork, about: "continue in a copy" }] : [];
  return [...copy, resumeCommand(name, "after restoring or correcting the code")];
}

function gatesCommands(name: string): Ending["next"] {
  return [
    { command: `babysitter run:accept-code ${name}`, about: "accept the code" },
    resumeCommand(name, "then, or after restoring the breakpoints"),
  ];
}

/** A run whose code does not fit is blocked, as every other command says. */
function blockedState({ code }: BabysitterError): Partial<Ending> {
  return code === "RUN_DIVERGED" || code === "GATES_CHANGED" ? { state: "blocked" } : {};
}

/** A rejection that ended the run has an exit code of its own. */
export function exitOfFailure(code: string | undefined): ExitName {
  return code === "BREAKPOINT_REJECTED" ? "rejected" : "failed";
}

/** What nobody here could do. Questions come with their words: whoever reads a log has nothing else to decide by. */
async function pendingOutside(journal: RunJournal): Promise<Ending["waitingFor"]> {
  const pending = Object.values(journal.summary.pending).filter(
    ({ kind }) => !["time", "worker"].includes(performerOf(kind)),
  );
  const rows: Ending["waitingFor"] = [];
  for (const effect of pending) {
    const { effectId, kind, title, label, invocationKey } = effect;
    const question = kind === "breakpoint" ? (await readQuestion(journal, effect)).question : undefined;
    rows.push({ effectId, kind, title: label ?? title ?? invocationKey, ...defined({ question }) });
  }
  return rows;
}

function waitingCommands({ summary }: RunJournal, name: string): Ending["next"] {
  const pending = Object.values(summary.pending);
  const question = pending.find(({ kind }) => kind === "breakpoint");
  const task = pending.find(({ kind }) => !["person", "time", "engine"].includes(performerOf(kind)));
  const first = [
    ...(question === undefined ? [] : answerCommands(question)),
    ...(task === undefined ? [] : taskCommands(task, name)),
  ];
  return [...first, resumeCommand(name, first.length === 0 ? "continue" : "then continue")];
}

function answerCommands({ effectId }: PendingEffect): Ending["next"] {
  return [
    { command: `babysitter breakpoint:approve ${effectId}`, about: "approve" },
    { command: `babysitter breakpoint:reject ${effectId} --reason "…"`, about: "reject, with a reason" },
  ];
}

function taskCommands({ effectId, kind }: PendingEffect, name: string): Ending["next"] {
  return [
    ...(performerOf(kind) === "agent"
      ? [{ command: `babysitter run ${name} --agent-command '<command>'`, about: "let an agent do it" }]
      : []),
    {
      command: `babysitter task:post ${name} ${effectId} --status ok --value result.json`,
      about: `post the result of the ${kind} task`,
    },
  ];
}

async function failedCommands(journal: RunJournal, name: string): Promise<Ending["next"]> {
  const way = (await wayOnOf(journal)) ?? { is: "correct" };
  const retry = `babysitter run ${name} --retry`;
  switch (way.is) {
    case "copy":
      return [
        {
          command: `babysitter run ${name} --fork`,
          about: `${way.step.kind === "breakpoint" ? "ask" : "retry"} ${stepName(way.step)} again in a copy, with the code as it is then`,
        },
        resumeCommand(name, "after changing how the process handles the failure"),
      ];
    case "retry":
      return [
        resumeCommand(
          name,
          `after correcting the process${way.steps.length === 1 ? "" : `: retries ${way.steps.length} steps`}`,
        ),
        { command: retry, about: "after correcting anything else" },
      ];
    case "ask":
      return [
        { command: `babysitter run:retry ${name}`, about: `ask ${way.steps.map(stepName).join(", ")} again` },
        resumeCommand(name, "then continue"),
      ];
    case "correct":
      break;
  }
  return [resumeCommand(name, "after correcting the process"), { command: retry, about: "run it again as it is" }];
}

function resumeCommand(name: string, about = "resume"): Ending["next"][number] {
  return { command: `babysitter run ${name}`, about };
}

function forkCommand(name: string, head: number): Ending["next"][number] {
  return { command: `babysitter run:fork ${name} --at ${head}`, about: "continue in a copy" };
}
