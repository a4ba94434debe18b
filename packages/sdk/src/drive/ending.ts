/** How driving ended, in words that say what to do next. */

import { codeChangeText } from "../model/code-versions.js";
import { ERROR_CODES, type ExitName } from "../model/error-codes.js";
import type { BabysitterError } from "../model/errors.js";
import { defined } from "../model/json.js";
import { type PendingEffect, type RunSummary, statusOf } from "../model/run-state.js";
import { performerOf } from "../model/task-kinds.js";
import { readQuestion } from "../runs/asked-question.js";
import { describeRun } from "../runs/describe-run.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { Ending } from "./progress.js";

/** Why the driver stopped, as far as the run's own state does not say it. */
export type StopReason = "finished" | "waiting" | "interrupted" | { error: BabysitterError };

export async function endingOf(journal: RunJournal, reason: StopReason, name: string): Promise<Ending> {
  const { summary } = journal;
  const state = statusOf(summary);
  const waitingFor = await pendingOutside(journal);
  if (summary.completed !== undefined) {
    const { output, completionProof } = summary.completed;
    return {
      state: "completed",
      exit: "ok",
      why: [describeRun(journal, name).why, codeChangeText(summary.code)]
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
  const { why, error } = describeRun(journal, name);
  const base = { why, waitingFor, ...defined({ error }) };
  if (state === "cancelled")
    return { ...base, state, exit: "cancelled", next: [forkCommand(name, summary.head.seq)], waitingFor: [] };
  if (state === "failed")
    return { ...base, state, exit: exitOfFailure(summary.failed?.error.code), next: failedCommands(name) };
  if (state === "blocked") return { ...base, state, exit: "blocked", next: blockedCommands(summary, name) };
  if (reason === "interrupted")
    return {
      ...base,
      state: "interrupted",
      exit: "interrupted",
      why: "Interrupted; nothing is lost.",
      next: [resumeCommand(name)],
    };
  return { ...base, state, exit: "waiting", next: waitingCommands(journal, name) };
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

function errorCommands({ code }: BabysitterError, name: string): Ending["next"] {
  if (code === "RUN_BUSY") return [{ command: `babysitter run:status ${name}`, about: "show the status" }];
  return code === "GATES_CHANGED" ? gatesCommands(name) : [resumeCommand(name)];
}

function blockedCommands({ blocked }: RunSummary, name: string): Ending["next"] {
  return blocked?.code === "GATES_CHANGED" ? gatesCommands(name) : [resumeCommand(name, "after restoring the code")];
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
function exitOfFailure(code: string | undefined): ExitName {
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
  const task = pending.find(({ kind }) => !["person", "time"].includes(performerOf(kind)));
  return [
    ...(question === undefined ? [] : answerCommands(question)),
    ...(task === undefined ? [] : taskCommands(task, name)),
    resumeCommand(name, "then continue"),
  ];
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

function failedCommands(name: string): Ending["next"] {
  return [
    { command: `babysitter run ${name} --retry`, about: "retry the failed steps" },
    resumeCommand(name, "after changing the process"),
  ];
}

function resumeCommand(name: string, about = "resume"): Ending["next"][number] {
  return { command: `babysitter run ${name}`, about };
}

function forkCommand(name: string, head: number): Ending["next"][number] {
  return { command: `babysitter run:fork ${name} --at ${head}`, about: "continue in a copy" };
}
