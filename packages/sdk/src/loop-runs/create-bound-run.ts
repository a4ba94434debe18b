/** Creates a run of a process, for the session that is to work on it where there is one. */
import type { LoopTerms } from "../loop/formats/loop-terms.js";
import type { SessionBound } from "../model/loop-events.js";
import { type CreatedRun, createRun, type NewRunRequest } from "../runs/create-run.js";
import { RunJournal } from "../runs/run-journal.js";
import { attachProcess } from "./attach-process.js";
import { bindClaimed, runContract } from "./bind-run.js";
import { runToJoin } from "./busy-session.js";
import type { LoopMaker } from "./loop-machine.js";
import { writeSessionView } from "./session-view.js";

export interface BoundRunRequest {
  run: NewRunRequest;
  session?: Omit<SessionBound, "by"> | undefined;
  terms: LoopTerms;
  by: "person" | "agent";
  dryRun: boolean;
  runName: (run: CreatedRun) => string;
  /** Called when the run is there, before it is bound. */
  onCreated: (journal: RunJournal) => Promise<void>;
}

export interface BoundRun {
  created: CreatedRun;
  /** The session had a loop with only a prompt, and the process has become part of it. */
  attachedTo?: RunJournal;
  stateFile?: string | undefined;
}

export async function createBoundRun(machine: LoopMaker, request: BoundRunRequest): Promise<BoundRun> {
  const { session, dryRun } = request;
  const act = (): Promise<BoundRun> => create(machine, request);
  return session === undefined || dryRun ? act() : machine.claimSession(session.sessionId, act);
}

async function create(machine: LoopMaker, request: BoundRunRequest): Promise<BoundRun> {
  const { run, session, terms, dryRun, onCreated } = request;
  const busy = session === undefined ? undefined : await runToJoin(machine, session.sessionId);
  if (busy !== undefined && !dryRun) {
    const created = await attachProcess(busy, run);
    await onCreated(busy);
    await writeSessionView(machine.sessions, busy);
    return { created, attachedTo: busy };
  }
  // A run that could not be bound would exist anyway.
  if (session !== undefined) {
    machine.sessions.refuseUnwritable(session.sessionId);
    await runContract(machine, { goal: run.prompt ?? "", terms });
  }
  const created = await createRun(machine.ports, run, { dryRun });
  if (dryRun) return { created };
  const journal = await RunJournal.open(machine.ports, created.runId);
  await onCreated(journal);
  if (session === undefined) return { created };
  const { by } = request;
  const binding = { terms, by, take: false, runName: request.runName(created) };
  const stateFile = await bindClaimed(machine, journal, { ...binding, session: { ...session, by: "start" } });
  return { created, stateFile };
}
