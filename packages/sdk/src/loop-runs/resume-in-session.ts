/** Resumes a loop: in a session, or for whoever is to work on it next. */
import { defined } from "../model/json.js";
import type { SessionBound } from "../model/loop-events.js";
import type { RunJournal } from "../runs/run-journal.js";
import { refuseBusySession, refuseUnseen } from "./busy-session.js";
import { bindSession, releaseSession } from "./change-loop.js";
import { type Continuation, continueLoop } from "./continue-loop.js";
import type { LoopMachine } from "./loop-machine.js";
import { writeSessionView } from "./session-view.js";

/** Why a session lost its loop without another one taking it. */
const TAKEN = "A person took it from the session.";

export interface Resumption extends Omit<Continuation, "sessionId"> {
  session?: Omit<SessionBound, "by"> | undefined;
}

/** False when it was under way already and nothing has changed. */
export async function resumeInSession(
  machine: LoopMachine,
  journal: RunJournal,
  request: Resumption,
): Promise<boolean> {
  const { session } = request;
  const act = (): Promise<boolean> => resume(machine, journal, request);
  return session === undefined ? act() : machine.claimSession(session.sessionId, act);
}

async function resume(
  machine: LoopMachine,
  journal: RunJournal,
  { session, ...request }: Resumption,
): Promise<boolean> {
  const holder = journal.summary.loop?.session?.sessionId;
  if (session !== undefined) {
    await refuseBusySession(machine, session.sessionId, journal.runId);
    refuseUnseen(machine, journal, session);
  }
  const resumed = await continueLoop(journal, { ...request, sessionId: session?.sessionId });
  const taking = request.take ? defined({ source: request.source }) : {};
  if (session !== undefined) await bindSession(journal, { ...session, by: "resume", ...taking }, holder);
  const isReleased =
    session === undefined &&
    request.take &&
    holder !== undefined &&
    (await releaseSession(journal, { sessionId: holder, reason: TAKEN, ...taking }));
  await writeSessionView(machine.sessions, journal, { justBound: session !== undefined });
  return resumed || isReleased;
}
