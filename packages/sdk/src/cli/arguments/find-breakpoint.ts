/** From what the user typed to one question. */

import { callerPorts, chooseRun } from "../../machine/choose-run.js";
import { type FoundBreakpoint, findBreakpoint, openJournals } from "../../runs/list-breakpoints.js";
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
