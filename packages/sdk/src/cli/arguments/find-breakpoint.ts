/** From what the user typed to one question. */

import { callerPorts, chooseRun, hasRun } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { isRunId, type RunId } from "../../model/ids.js";
import {
  type BreakpointListing,
  type FoundBreakpoint,
  findBreakpoint,
  listBreakpoints,
  openJournals,
} from "../../runs/list-breakpoints.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

/** The journals of the run that was named, or of all runs of the project. */
export async function journalsOf(invocation: Invocation, run: string | undefined): Promise<RunJournal[]> {
  if (run === undefined) return openJournals(callerPorts(invocation));
  const { ports, runId } = await chooseRun(invocation, run);
  return openJournals(ports, runId);
}

export async function findNamedBreakpoint(invocation: Invocation): Promise<FoundBreakpoint> {
  const { positionals, options, name } = invocation;
  const [id] = positionals;
  if (id === undefined || id === "")
    throw usageError({ name }, "name the question; `babysitter breakpoint:list` lists the open ones.");
  try {
    return await findBreakpoint(await journalsOf(invocation, options.text("run")), id);
  } catch (error) {
    const isRun = BabysitterError.is(error) && error.code === "BREAKPOINT_NOT_FOUND" && hasRun(invocation, id);
    throw isRun && isRunId(id) ? await runInstead(invocation, id) : error;
  }
}

/** Whoever names a run means its question, but is to see which one that is. */
async function runInstead(invocation: Invocation, run: RunId): Promise<BabysitterError> {
  const open = await listBreakpoints(await journalsOf(invocation, run), { all: false });
  return new BabysitterError("BREAKPOINT_NOT_FOUND", `${run} is a run, not a question.`, {
    hint: questionsHint(run, open),
    details: { id: run, found: open.map(({ breakpointId }) => breakpointId) },
  });
}

function questionsHint(run: string, [only, ...others]: readonly BreakpointListing[]): string {
  if (only === undefined)
    return `Run ${run} has no open question. To see where it stands: babysitter run:status ${run}`;
  return others.length === 0
    ? `Run ${run} has one open question: babysitter breakpoint:show ${only.breakpointId}`
    : `Run ${run} has ${others.length + 1} open questions: babysitter breakpoint:list ${run}`;
}
