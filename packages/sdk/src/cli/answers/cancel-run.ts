import { cancelledWork, cancelledWorkLines } from "../../loop/texts/cancelled-work.js";
import type { LoopMachine } from "../../loop-runs/loop-machine.js";
import { cancelWork } from "../../machine/loops/cancel-work.js";
import { defined } from "../../model/json.js";
import { hasProcess } from "../../model/run-state.js";
import { shownTime } from "../../model/shown-amounts.js";
import { line } from "../../model/terminal-text.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { CommandResult } from "../grammar/invocation.js";
import type { PersonsOrder } from "./pause-loop.js";

/** Ends a run for good, with what it has left running on this machine. */
export async function cancelHere(
  machine: LoopMachine,
  journal: RunJournal,
  { reason, runName, source }: PersonsOrder,
): Promise<CommandResult> {
  const order = { source, ...defined({ reason }) };
  const { cancelled, recorded, tasks, elsewhere } = await cancelWork(machine, journal, order);
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

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
