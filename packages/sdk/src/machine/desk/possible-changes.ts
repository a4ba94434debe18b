/** What people may do to a run as it stands, by the rules of the commands that do it. Nothing here writes to a journal. */
import { openLoop } from "../../loop-runs/change-loop.js";
import { loopToContinue } from "../../loop-runs/continue-loop.js";
import { BabysitterError } from "../../model/errors.js";
import { isPausedByPerson } from "../../model/loop-state.js";
import { hasProcess, isFinished } from "../../model/run-state.js";
import { nothingToCancel } from "../../runs/cancel-run.js";
import { noProcess } from "../../runs/no-process.js";
import { stepsToRetry } from "../../runs/retry-run.js";
import type { RunJournal } from "../../runs/run-journal.js";

type Change = "retry" | "cancel" | "pause" | "resume" | "fork";

/** For each change null, or in words why it is not possible now. */
export type PossibleChanges = Record<Change, string | null>;

export async function possibleChanges(journal: RunJournal): Promise<PossibleChanges> {
  return {
    retry: await whyNot(journal, () => stepsToRetry(journal)),
    cancel: await whyNot(journal, () => requireCancellable(journal)),
    pause: await whyNot(journal, () => requireUnpaused(journal)),
    resume: await whyNot(journal, () => requirePaused(journal)),
    fork: await whyNot(journal, () => requireProcess(journal)),
  };
}

async function whyNot({ summary: { newer } }: RunJournal, check: () => unknown): Promise<string | null> {
  if (newer !== undefined) return `This run was written to by version ${newer.writer}, which is newer than this one.`;
  try {
    await check();
    return null;
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    // A limit that is reached is raised by a command.
    return error.code === "LIMIT_REACHED" ? `${error.message} ${error.hint ?? ""}` : error.message;
  }
}

function requireCancellable({ summary, runId }: RunJournal): void {
  if (summary.cancelled !== undefined) throw already(runId, "was already cancelled");
  if (isFinished(summary)) throw nothingToCancel(runId);
}

function requireUnpaused(journal: RunJournal): void {
  if (isPausedByPerson(openLoop(journal))) throw already(journal.runId, "is already paused");
}

function requirePaused(journal: RunJournal): void {
  const { paused } = loopToContinue(journal, { limits: {}, runName: journal.runId });
  if (paused === undefined) throw already(journal.runId, "is not paused");
}

function requireProcess({ summary: { created }, runId }: RunJournal): void {
  if (!hasProcess(created)) throw noProcess(runId);
}

function already(runId: string, what: string): BabysitterError {
  return new BabysitterError("USAGE", `Run ${runId} ${what}.`);
}
