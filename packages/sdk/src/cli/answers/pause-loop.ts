import { openLoop, pauseLoop } from "../../loop-runs/change-loop.js";
import type { LoopMachine } from "../../loop-runs/loop-machine.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import { NO_REASON } from "../../model/pause-words.js";
import type { ChangeSource } from "../../model/who-may-decide.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { CommandResult } from "../grammar/invocation.js";
import { resumeText } from "./resume-text.js";

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
  { reason = NO_REASON, runName, source }: PersonsOrder,
): Promise<CommandResult> {
  const paused = await pauseLoop(journal, { code: "by_request", message: reason, by: "person", source });
  await writeSessionView(sessions, journal);
  const { runId, runDir } = journal;
  const loop = openLoop(journal);
  const next = await resumeText(journal, loop, runName);
  // Whether a turn is under way, only its host knows.
  const agent =
    loop.session === undefined
      ? ""
      : "Its agent is free to stop now; a turn that is still running continues to its end. ";
  return {
    document: { runId, runDir, paused, reason: loop.paused ?? null, next },
    text: `${paused ? "Paused" : "Already paused:"} ${runId}\n${agent}To resume: ${next}`,
  };
}
