import { pauseLoop } from "../../loop-runs/change-loop.js";
import type { LoopMachine } from "../../loop-runs/loop-machine.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import type { ChangeSource } from "../../model/who-may-decide.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { CommandResult } from "../grammar/invocation.js";

/** Of a person who may give it. */
export interface PersonsOrder {
  reason?: string | undefined;
  runName: string;
  source: ChangeSource;
}

/** Pauses a loop for a person, and says how to continue. */
export async function pauseForPerson(
  { sessions }: LoopMachine,
  journal: RunJournal,
  { reason = "Somebody asked for it.", runName, source }: PersonsOrder,
): Promise<CommandResult> {
  const paused = await pauseLoop(journal, { code: "by_request", message: reason, by: "person", source });
  await writeSessionView(sessions, journal);
  const next = `babysitter loop:resume ${runName}`;
  const { runId, runDir, summary } = journal;
  const agent = summary.loop?.session === undefined ? "" : "The agent may stop at the end of its turn. ";
  return {
    document: { runId, runDir, paused, reason: summary.loop?.paused ?? null, next },
    text: `${paused ? "Paused" : "Already paused:"} ${runId}\n${agent}To resume: ${next}`,
  };
}
