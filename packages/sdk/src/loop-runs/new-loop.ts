/** Starts a loop: run, session file, readable copies, and the first look at the criteria. */
import { requiredCriteria } from "../loop/rules/criteria-standing.js";
import type { LoopContract } from "../model/loop-contract.js";
import type { SessionBound } from "../model/loop-events.js";
import { BASELINE } from "../model/loop-state.js";
import type { RunJournal } from "../runs/run-journal.js";
import { refuseBusySession } from "./busy-session.js";
import type { LoopMaker } from "./loop-machine.js";
import { writeSessionView } from "./session-view.js";
import { startLoop } from "./start-loop.js";

export interface NewLoop {
  contract: LoopContract;
  goal: string;
  iteration: number;
  runId?: string | undefined;
  session?: Omit<SessionBound, "by"> | undefined;
}

/** The loop, and what the user should know about how it was started. */
export interface StartedLoop {
  journal: RunJournal;
  notices: string[];
}

export async function newLoop(machine: LoopMaker, request: NewLoop): Promise<StartedLoop> {
  const { contract, session } = request;
  const journal = await (session === undefined
    ? begin(machine, request)
    : machine.claimSession(session.sessionId, () => begin(machine, request)));
  const notice = await machine.writeViews(journal);
  machine.rememberProject();
  if (requiredCriteria(contract.criteria).length > 0) machine.startVerification(journal.runDir, [], BASELINE);
  return { journal, notices: notice === undefined ? [] : [notice] };
}

async function begin(machine: LoopMaker, { contract, goal, iteration, runId, session }: NewLoop): Promise<RunJournal> {
  if (session !== undefined) await refuseBusySession(machine, session.sessionId);
  const journal = await startLoop(machine.ports, {
    contract,
    goal,
    iteration,
    projectRoot: (runDir) => machine.recordedRoot(runDir),
    ...(runId === undefined ? {} : { runId }),
    ...(session === undefined ? {} : { session: { ...session, by: "start" } }),
  });
  await writeSessionView(machine.sessions, journal, { justBound: true });
  return journal;
}
