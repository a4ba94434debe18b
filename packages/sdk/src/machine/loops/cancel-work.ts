/** Ends a run for good, with what it has left running on this machine. */
import type { LoopMachine } from "../../loop-runs/loop-machine.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import type { ProcessGroupRef, RunCancelled } from "../../model/events.js";
import { type CancelledWork, cancelRun } from "../../runs/cancel-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { isOfThisRun } from "../../spawn/directory-ref.js";
import { endProcessGroup } from "../../spawn/end-process-group.js";
import { isElsewhere, mayBeHere } from "../../spawn/liveness.js";
import { thisMachine } from "../../spawn/machine-facts.js";
import { endVerification } from "./local-loop-ports.js";

/** How long a task may take to clean up before it is killed. */
const GRACE_MS = 5_000;

export async function cancelWork(
  machine: Pick<LoopMachine, "sessions" | "writeViews">,
  journal: RunJournal,
  order: RunCancelled,
): Promise<CancelledWork> {
  const answer = await cancelRun(journal, order);
  const ended = await endStartedWork(journal);
  await endLoop(machine, journal);
  return { ...answer, ...ended };
}

/** A check that is under way has nobody left to tell, and the session is free. */
async function endLoop(
  { sessions, writeViews }: Pick<LoopMachine, "sessions" | "writeViews">,
  journal: RunJournal,
): Promise<void> {
  const { loop } = journal.summary;
  if (loop === undefined) return;
  if (loop.verification !== undefined) await endVerification(loop.verification, journal.runDir, GRACE_MS);
  await writeSessionView(sessions, journal);
  await writeViews(journal);
}

/**
 * Ends what a driver has started and not taken along. One that is at work does the same at the same time:
 * a process group can be ended twice.
 */
async function endStartedWork({ summary, runDir }: RunJournal): Promise<Pick<CancelledWork, "tasks" | "elsewhere">> {
  const started = Object.values(summary.pending).flatMap(({ effectId, started: { group, host = "", dir } = {} }) =>
    group !== undefined && isOfThisRun({ ...group, dir }, runDir) ? [{ effectId, group, host }] : [],
  );
  const reachable = started.filter(({ group, host }) => mayBeHere({ ...group, host }, thisMachine()));
  const ended = await Promise.all(reachable.map(async ({ effectId, group }) => endWork(effectId, group)));
  return {
    tasks: ended.filter(({ processes, survivors }) => processes + survivors > 0),
    elsewhere: started
      .filter(({ group, host }) => isElsewhere({ ...group, host }, thisMachine()))
      .map(({ effectId, host }) => ({ effectId, host })),
  };
}

async function endWork(effectId: string, group: ProcessGroupRef): Promise<CancelledWork["tasks"][number]> {
  const { ended, survivors } = await endProcessGroup(group, GRACE_MS);
  return { effectId, processes: ended, survivors };
}
