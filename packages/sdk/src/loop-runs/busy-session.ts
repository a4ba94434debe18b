/** A session works on at most one run that is under way. */
import { BabysitterError } from "../model/errors.js";
import { hasProcess } from "../model/run-state.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { LoopMachine } from "./loop-machine.js";

/** The run that keeps this session busy: under way, not paused, and still its own. */
export async function busyRunOf(machine: LoopMachine, sessionId: string): Promise<RunJournal | undefined> {
  const found = machine.sessions.find(sessionId);
  if (found.kind !== "found" || !found.session.runId || found.session.runDir === undefined) return undefined;
  try {
    const journal = await machine.openRun(found.session);
    const { loop } = journal.summary;
    const isBusy =
      loop?.session?.sessionId === sessionId &&
      loop.paused === undefined &&
      loop.ended === undefined &&
      journal.summary.cancelled === undefined;
    return isBusy ? journal : undefined;
  } catch (error) {
    // A run that cannot be opened keeps nobody busy.
    if (BabysitterError.is(error)) return undefined;
    throw error;
  }
}

/** Refuses a session that works on another run, or whose file cannot be written. */
export async function refuseBusySession(machine: LoopMachine, sessionId: string, except?: string): Promise<void> {
  machine.sessions.refuseUnwritable(sessionId);
  const busy = await busyRunOf(machine, sessionId);
  if (busy !== undefined && busy.runId !== except) throw sessionBusy(busy.runId, sessionId);
}

/** A session that does not exist would never work on what it takes, and the one that did would be free. */
export function refuseUnseen(
  machine: LoopMachine,
  { runId, summary }: RunJournal,
  session: { harness: string; sessionId: string },
): void {
  const { session: holder, paused } = summary.loop ?? {};
  const isHeld = holder !== undefined && holder.sessionId !== session.sessionId && paused === undefined;
  if (!isHeld || machine.wasSeen(session)) return;
  const { sessionId } = session;
  throw new BabysitterError("SESSION_NOT_FOUND", `Session ${sessionId} has never been seen on this machine.`, {
    hint: `Session ${holder.sessionId} works on run ${runId}. Name a session that exists, or take the run over in that session: babysitter loop:resume ${runId} --take`,
    details: { runId, sessionId },
  });
}

/** The run of a busy session when it has only a prompt so far and can take a process; refuses any other. */
export async function runToJoin(machine: LoopMachine, sessionId: string): Promise<RunJournal | undefined> {
  const busy = await busyRunOf(machine, sessionId);
  if (busy !== undefined && hasProcess(busy.summary.created)) throw sessionBusy(busy.runId, sessionId);
  return busy;
}

function sessionBusy(runId: string, sessionId: string): BabysitterError {
  return new BabysitterError("SESSION_BOUND", `Session already associated with run: ${runId}`, {
    hint: `That run is still open. To use the session for something else: babysitter loop:pause ${runId}, or loop:cancel ${runId}.`,
    details: { runId, sessionId },
  });
}
