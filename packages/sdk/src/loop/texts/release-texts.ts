/** What the user is told when a loop no longer holds a session, and nothing in the session itself has ended that. */
import { liftingOption } from "../../model/lifted-limits.js";
import type { RunSummary } from "../../model/run-state.js";
import { shownLine } from "../../model/shown-text.js";

export interface Released {
  runId: string;
  /** How to name the run in a command. */
  runName: string;
  summary: Pick<RunSummary, "loop" | "cancelled">;
}

/** Why it no longer holds this session; undefined when nothing of the run says so. */
export function releaseText(released: Released, sessionId: string): string | undefined {
  const { runId, runName, summary } = released;
  const { loop, cancelled } = summary;
  const free = "so this session may stop";
  const report = `Report: babysitter loop:report ${runName}`;
  if (cancelled !== undefined) {
    const why = cancelled.reason === undefined ? "" : `: ${shownLine(cancelled.reason)}`;
    return `🛑 Babysitter run: ${runId} was cancelled${why}, ${free}. ${report}`;
  }
  if (loop?.ended !== undefined) return `✅ Babysitter run: the loop of ${runId} has ended, ${free}. ${report}`;
  if (loop?.session?.sessionId !== sessionId) return otherOwnerText(released);
  if (loop.paused === undefined) return undefined;
  const { code, message } = loop.paused;
  return `⏸ Babysitter run: the loop of ${runId} is paused (${code}: ${shownLine(message)}), ${free}. To resume: babysitter loop:resume ${runName}${liftingOption(loop.paused)}`;
}

/** Another session has taken the loop, or never gave it away. */
export function otherOwnerText({ runId, runName, summary }: Released): string {
  const owner = summary.loop?.session?.sessionId;
  const whose = owner === undefined ? "belongs to no session" : `belongs to session ${owner}`;
  return `⚠️  Babysitter run: the loop of ${runId} ${whose}, so this session may stop. To work on it here: babysitter loop:resume ${runName} --take`;
}

export function fileGoneText({ runId, runName }: Released): string {
  return `⚠️  Babysitter run: the session file is gone, so the loop of ${runId} no longer holds this session. To continue: babysitter loop:resume ${runName}`;
}

/** For the session that comes after the one whose conversation was cleared. */
export function clearedText(runId: string, runName: string): string {
  return `⚠️  Babysitter run: /clear has ended the session of the loop ${runId}, so it holds no session now. To continue it here: babysitter loop:resume ${runName}`;
}
