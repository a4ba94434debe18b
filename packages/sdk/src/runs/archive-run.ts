import { BabysitterError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import { type RunStatus, statusOf } from "../model/run-state.js";
import { RunJournal } from "./run-journal.js";
import { archivedPorts, upkeepOf } from "./upkeep-of.js";

export interface MovedRun {
  runId: RunId;
  state: RunStatus;
  /** Where the run is now. */
  runDir: string;
}

/** Archives a finished run, so that listings no longer show it. A failed run can still be retried, so it takes a flag. */
export async function archiveRun(ports: Ports, runId: RunId, options: { failed: boolean }): Promise<MovedRun> {
  const journal = await RunJournal.open(ports, runId);
  const state = statusOf(journal.summary);
  if (!isDisposable(state, options)) throw stillOpen(runId, state, "moved");
  const runDir = await upkeepOf(ports).archive(runId, journal.summary.head);
  if (runDir === undefined) {
    throw new BabysitterError("RUN_CONTENDED", `Another program has just written to run ${runId}; it was not moved.`, {
      hint: "Run the command again.",
      details: { runId },
    });
  }
  return { runId, state, runDir };
}

/** Restores an archived run. */
export async function restoreRun(ports: Ports, runId: RunId): Promise<MovedRun> {
  const archived = await RunJournal.open(archivedPorts(ports), runId);
  const state = statusOf(archived.summary);
  return { runId, state, runDir: await upkeepOf(ports).restore(runId) };
}

/** True when nobody is waiting for the run any longer. */
export function isDisposable(state: RunStatus, { failed }: { failed: boolean }): boolean {
  return state === "completed" || state === "cancelled" || (failed && state === "failed");
}

/** Only what nobody waits for any longer may be put away. */
export function stillOpen(runId: RunId, state: RunStatus, done: "moved" | "deleted"): BabysitterError {
  const hint =
    state === "failed"
      ? `To retry it: babysitter run:retry ${runId}. To have it ${done} as it is: --failed. To end it: babysitter run:cancel ${runId}`
      : `End it first: babysitter run:cancel ${runId}`;
  return new BabysitterError("RUN_OPEN", `Run ${runId} has not finished (${state}); it was not ${done}.`, {
    hint,
    details: { runId, state },
  });
}
