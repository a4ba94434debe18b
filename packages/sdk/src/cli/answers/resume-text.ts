import { whoDrives } from "../../machine/who-drives.js";
import type { LoopState } from "../../model/loop-state.js";
import { waysText, waysToResume } from "../../runs/next-ways.js";
import type { RunJournal } from "../../runs/run-journal.js";

/** How to resume a paused loop, in one line. */
export async function resumeText(journal: RunJournal, loop: LoopState, runName: string): Promise<string> {
  return waysText(waysToResume(loop, runName, await whoDrives(journal))) ?? "";
}
