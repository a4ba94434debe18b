import os from "node:os";
import { cancelledWork, cancelledWorkLines } from "../../loop/texts/cancelled-work.js";
import type { LoopMachine } from "../../loop-runs/loop-machine.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import type { EffectStarted } from "../../model/events.js";
import { defined } from "../../model/json.js";
import { hasProcess, type RunSummary } from "../../model/run-state.js";
import { shownTime } from "../../model/shown-amounts.js";
import { cancelRun } from "../../runs/cancel-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { endProcessGroup } from "../../spawn/end-process-group.js";
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
  const { tasks, elsewhere } = await endStartedWork(journal.summary);
  await endLoop(machine, journal);
  const { runId, runDir } = journal;
  const { loop } = journal.summary;
  const work = loop === undefined ? undefined : cancelledWork(loop);
  const ended = tasks.reduce((sum, task) => sum + task.processes, 0);
  const lines = [
    cancelled
      ? `Cancelled ${runId}.`
      : `${runId} was already cancelled at ${shownTime(recorded.at)}${recorded.reason === undefined ? "." : `: ${recorded.reason}`}`,
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
      ({ effectId, host }) => `warning: ${effectId} was started on ${host} and may still be running there.`,
    ),
    ...(hasProcess(journal.summary.created)
      ? [`To continue in a copy: babysitter run:fork ${runName} --at <event>`]
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
  if (loop.verification?.host === os.hostname()) await endProcessGroup(loop.verification.group, GRACE_MS);
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
  pending,
}: RunSummary): Promise<{ tasks: EndedTask[]; elsewhere: { effectId: string; host: string }[] }> {
  const started = Object.values(pending).flatMap((effect) =>
    effect.started === undefined ? [] : [{ effectId: effect.effectId, started: effect.started }],
  );
  const here = started.filter(({ started: { host } }) => host === os.hostname());
  const ended = await Promise.all(here.map(async ({ effectId, started: work }) => endWork(effectId, work)));
  return {
    tasks: ended.filter(({ processes, survivors }) => processes + survivors > 0),
    elsewhere: started
      .filter((other) => !here.includes(other))
      .map(({ effectId, started: { host } }) => ({ effectId, host })),
  };
}

async function endWork(effectId: string, { group }: EffectStarted): Promise<EndedTask> {
  if (group === undefined) return { effectId, processes: 0, survivors: 0 };
  const { ended, survivors } = await endProcessGroup(group, GRACE_MS);
  return { effectId, processes: ended, survivors };
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
