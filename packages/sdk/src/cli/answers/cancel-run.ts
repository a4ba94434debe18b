import { cancelledWork, cancelledWorkLines } from "../../loop/texts/cancelled-work.js";
import type { LoopMachine } from "../../loop-runs/loop-machine.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import { endVerification } from "../../machine/loops/local-loop-ports.js";
import type { ProcessGroupRef } from "../../model/events.js";
import { defined } from "../../model/json.js";
import { hasProcess } from "../../model/run-state.js";
import { shownTime } from "../../model/shown-amounts.js";
import { line } from "../../model/terminal-text.js";
import { cancelRun } from "../../runs/cancel-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { isOfThisRun } from "../../spawn/directory-ref.js";
import { endProcessGroup } from "../../spawn/end-process-group.js";
import { isElsewhere, mayBeHere } from "../../spawn/liveness.js";
import { thisMachine } from "../../spawn/machine-facts.js";
import type { CommandResult } from "../grammar/invocation.js";
import type { PersonsOrder } from "./pause-loop.js";

/** How long a task may take to clean up before it is killed. */
const GRACE_MS = 5_000;

/** Ends a run for good, with what it has left running on this machine. */
export async function cancelHere(
  machine: LoopMachine,
  journal: RunJournal,
  { reason, runName, source }: PersonsOrder,
): Promise<CommandResult> {
  const { cancelled, recorded } = await cancelRun(journal, { source, ...defined({ reason }) });
  const { tasks, elsewhere } = await endStartedWork(journal);
  await endLoop(machine, journal);
  const { runId, runDir } = journal;
  const { loop } = journal.summary;
  const work = loop === undefined ? undefined : cancelledWork(loop);
  const ended = tasks.reduce((sum, task) => sum + task.processes, 0);
  const lines = [
    cancelled
      ? `Cancelled ${runId}.`
      : line`${runId} was already cancelled at ${shownTime(recorded.at)}${recorded.reason === undefined ? "." : `: ${recorded.reason}`}`,
    ...(work === undefined ? [] : cancelledWorkLines(work)),
    ...(ended === 0
      ? []
      : [`Ended ${count(ended, "process", "processes")} of ${count(tasks.length, "task", "tasks")}.`]),
    ...tasks
      .filter(({ survivors }) => survivors > 0)
      .map(
        ({ effectId, survivors }) =>
          `warning: ${count(survivors, "process", "processes")} of ${effectId} did not exit.`,
      ),
    ...elsewhere.map(
      ({ effectId, host }) => line`warning: ${effectId} was started on ${host} and may still be running there.`,
    ),
    ...(hasProcess(journal.summary.created)
      ? [`To continue in a copy: babysitter run:fork ${runName} --at ${journal.summary.head.seq}`]
      : []),
  ];
  return {
    document: {
      runId,
      runDir,
      state: "cancelled",
      cancelled,
      ...recorded,
      ended: tasks,
      elsewhere,
      ...defined({ loop: work }),
    },
    text: lines.join("\n"),
  };
}

/** A check that is under way has nobody left to tell, and the session is free. */
async function endLoop(machine: LoopMachine, journal: RunJournal): Promise<void> {
  const { loop } = journal.summary;
  if (loop === undefined) return;
  if (loop.verification !== undefined) await endVerification(loop.verification, journal.runDir, GRACE_MS);
  await writeSessionView(machine.sessions, journal);
  await machine.writeViews(journal);
}

interface EndedTask {
  effectId: string;
  processes: number;
  survivors: number;
}

/**
 * Ends what a driver has started and not taken along. One that is at work does the same at the same time:
 * a process group can be ended twice.
 */
async function endStartedWork({
  summary,
  runDir,
}: RunJournal): Promise<{ tasks: EndedTask[]; elsewhere: { effectId: string; host: string }[] }> {
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

async function endWork(effectId: string, group: ProcessGroupRef): Promise<EndedTask> {
  const { ended, survivors } = await endProcessGroup(group, GRACE_MS);
  return { effectId, processes: ended, survivors };
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
