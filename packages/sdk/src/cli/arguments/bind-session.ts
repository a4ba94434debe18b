/** A session works on at most one run that is under way. */
import path from "node:path";
import { localPorts } from "../../machine/local-ports.js";
import { sdkAccess } from "../../machine/sdk-access.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId } from "../../model/ids.js";
import { hasProcess } from "../../model/run-state.js";
import { RunJournal } from "../../runs/run-journal.js";
import type { SessionRegistry } from "../../sessions/session-registry.js";
import type { Invocation } from "../grammar/invocation.js";

/** The run that keeps this session busy: under way, not paused, and still its own. */
export async function busyRunOf(
  { env }: Pick<Invocation, "env">,
  registry: SessionRegistry,
  sessionId: string,
): Promise<RunJournal | undefined> {
  const found = registry.find(sessionId);
  if (found.kind !== "found" || !found.session.runId || found.session.runDir === undefined) return undefined;
  try {
    const ports = localPorts({ runsDir: path.dirname(found.session.runDir), sdk: sdkAccess(), env });
    const journal = await RunJournal.open(ports, parseRunId(found.session.runId));
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

/** Refuses a session that works on another run. */
export async function refuseBusySession(
  invocation: Pick<Invocation, "env">,
  registry: SessionRegistry,
  sessionId: string,
  except?: string,
): Promise<void> {
  const busy = await busyRunOf(invocation, registry, sessionId);
  if (busy !== undefined && busy.runId !== except) throw sessionBusy(busy.runId, sessionId);
}

export function sessionBusy(runId: string, sessionId: string): BabysitterError {
  return new BabysitterError("SESSION_BOUND", `Session already associated with run: ${runId}`, {
    hint: `It is under way. To have the session for something else: babysitter loop:pause ${runId}, or loop:cancel ${runId}.`,
    details: { runId, sessionId },
  });
}

/** A loop that has only a prompt so far can take a process. */
export function canTakeProcess({ summary }: RunJournal): boolean {
  return !hasProcess(summary.created);
}
