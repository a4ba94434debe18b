/** The session file as the journal would have it. */

import type { SessionFile } from "../loop/formats/session-file.js";
import { beganAt } from "../loop/rules/loop-now.js";
import type { LoopState } from "../model/loop-state.js";
import { RunJournal } from "../runs/run-journal.js";
import { goalOf } from "./goal-of.js";
import type { SessionFiles } from "./loop-machine.js";

async function sessionFileOf(journal: RunJournal, state: LoopState): Promise<SessionFile> {
  return {
    active: state.paused === undefined && state.ended === undefined,
    iteration: state.iteration,
    maxIterations: state.contract.limits.iterations,
    completionPromise: state.contract.promise.text,
    runId: journal.runId,
    runDir: journal.runDir,
    ...(state.session === undefined ? {} : { harness: state.session.harness }),
    startedAt: beganAt(state),
    lastIterationAt: state.lastIterationAt,
    iterationTimes: state.iterationTimes,
    prompt: await goalOf(journal, state),
    unknown: [],
  };
}

/**
 * Writes the view of the session that works on a run; when nothing is left to do, the file is moved aside. A session
 * that works on another run by now, because this one was paused, keeps that one, unless it was just bound to this one.
 */
export async function writeSessionView(
  sessions: SessionFiles,
  journal: RunJournal,
  { justBound = false } = {},
): Promise<string | undefined> {
  const { loop, cancelled } = journal.summary;
  if (loop?.session === undefined) return undefined;
  const { sessionId } = loop.session;
  if (!justBound && isAtAnother(sessions, sessionId, journal.runId)) return undefined;
  if (loop.ended !== undefined || cancelled !== undefined) return sessions.end(sessionId);
  return sessions.write(sessionId, await sessionFileOf(journal, loop));
}

function isAtAnother(sessions: SessionFiles, sessionId: string, runId: string): boolean {
  const found = sessions.find(sessionId);
  return (
    found.kind === "found" && found.session.active && Boolean(found.session.runId) && found.session.runId !== runId
  );
}
