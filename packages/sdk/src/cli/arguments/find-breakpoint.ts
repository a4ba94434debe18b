/** From what the user typed to one question, and what to do after it was decided. */

import { callerPorts, chooseRun } from "../../machine/choose-run.js";
import { quietLimitOf } from "../../machine/local-ports.js";
import { runName } from "../../machine/run-name.js";
import { BabysitterError } from "../../model/errors.js";
import { type FoundBreakpoint, findBreakpoint, openJournals } from "../../runs/list-breakpoints.js";
import { advanceOneQuestion, isOneQuestion } from "../../runs/one-question.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { OnUnreadable } from "../../runs/unreadable-runs.js";
import type { Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

/** The journals of the run that was named, or of all runs of the project. */
export async function journalsOf(
  invocation: Invocation,
  run: string | undefined,
  onUnreadable?: OnUnreadable,
): Promise<RunJournal[]> {
  if (run === undefined) return openJournals(callerPorts(invocation), undefined, onUnreadable);
  const { ports, runId } = await chooseRun(invocation, run);
  return openJournals(ports, runId);
}

export async function findNamedBreakpoint(invocation: Invocation): Promise<FoundBreakpoint> {
  const { positionals, options, name } = invocation;
  const [id] = positionals;
  if (id === undefined || id === "")
    throw usageError({ name }, "name the question; `babysitter breakpoint:list` lists the open ones.");
  return findBreakpoint(await journalsOf(invocation, options.text("run")), id);
}

/** Ends a run that was nothing but this question; returns the command that continues any other run. */
export async function nextAfterDecision(invocation: Invocation, journal: RunJournal): Promise<string | undefined> {
  if (isOneQuestion(journal.summary)) {
    try {
      await advanceOneQuestion(journal.ports, journal.runId, quietLimitOf(invocation.env));
      return undefined;
    } catch (error) {
      // The decision is recorded; that its run cannot end by itself is for the next command to say.
      if (!BabysitterError.is(error)) throw error;
    }
  }
  const name = runName(invocation, journal);
  return journal.summary.created.session === undefined ? `babysitter run ${name}` : `babysitter run:iterate ${name}`;
}
