/** The session of the host that a driver works with: its own from the last time, or a new one. */

import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../../files/make-folders.js";
import { textIfRegular } from "../../files/read-regular-file.js";
import type { AgentSession } from "../../hosts/turns/agent-driver.js";
import { withDiskErrors } from "../../journal/files/disk-errors.js";
import type { LoopTerms } from "../../loop/formats/loop-terms.js";
import { parseSessionId } from "../../loop/formats/session-id.js";
import { bindRun } from "../../loop-runs/bind-run.js";
import { continueLoop } from "../../loop-runs/continue-loop.js";
import type { LoopMaker } from "../../loop-runs/loop-machine.js";
import { writeSessionView } from "../../loop-runs/session-view.js";
import { defined, isJsonObject, parseJson } from "../../model/json.js";
import type { ChangeSource } from "../../model/who-may-decide.js";
import type { RunJournal } from "../../runs/run-journal.js";

/** Much more than the id of a session. */
const LARGEST_RECORD = 64 * 1024;

/** Where a driver of an agent keeps what only it needs. Everything in `state/` may be deleted. */
export function agentFolder(runDir: string): string {
  return path.join(runDir, "state", "agent");
}

/**
 * Continues with the session of an earlier driver. The session of anyone else is left alone: a person may sit in front
 * of it, and two processes of a host on one session spoil it.
 */
export async function bindAgent(
  machine: LoopMaker,
  journal: RunJournal,
  {
    harness,
    permissionMode,
    ...how
  }: {
    harness: string;
    permissionMode: string | undefined;
    terms: LoopTerms;
    by: "person" | "agent";
    source?: ChangeSource | undefined;
    runName: string;
  },
): Promise<AgentSession> {
  const { loop } = journal.summary;
  const file = path.join(agentFolder(journal.runDir), "session.json");
  const own = readSession(file);
  if (loop !== undefined && own !== undefined && loop.session?.sessionId === own) {
    await continueLoop(journal, { ...how, limits: how.terms.limits, take: false, sessionId: own });
    await writeSessionView(machine.sessions, journal, { justBound: true });
    return { sessionId: own, known: true };
  }
  const sessionId = crypto.randomUUID();
  // Before the binding: whoever comes after a crash must know that this session was ours.
  withDiskErrors(journal.runDir, () => {
    makeFolders(path.dirname(file), 0o700, 2);
    fs.writeFileSync(file, `${JSON.stringify({ sessionId })}\n`, { mode: 0o600 });
  });
  const by = loop === undefined ? "start" : "resume";
  await bindRun(machine, journal, {
    ...how,
    take: false,
    session: { harness, sessionId, by, driver: defined({ permissionMode }) },
  });
  await journal.catchUp();
  return { sessionId, known: false };
}

function readSession(file: string): string | undefined {
  try {
    const document = parseJson(textIfRegular(file, LARGEST_RECORD) ?? "null");
    return isJsonObject(document) ? parseSessionId(document["sessionId"]) : undefined;
  } catch {
    // Not there, or written only in part by a driver that was killed: nothing was bound with it then.
    return undefined;
  }
}
