/** A person accepts the code of a run as it is now. Who may do so is for the caller to see to. */
import type { FileChange, Gate } from "../model/code-versions.js";
import { BabysitterError } from "../model/errors.js";
import type { EventDraft } from "../model/events.js";
import { hasProcess, isFinished } from "../model/run-state.js";
import type { DecisionWay } from "../model/who-may-decide.js";
import { blockGates } from "./admit-code.js";
import { readVersion, storedManifest } from "./code-version.js";
import { noProcess } from "./no-process.js";
import { Overtaken } from "./overtaken.js";
import type { RunJournal } from "./run-journal.js";

export interface AcceptedCode {
  /** False when it was what people had agreed to already. */
  accepted: boolean;
  codeHash: string;
  /** What is different from the code that people agreed to before. */
  files: FileChange[];
  lost: Gate[];
  gained: Gate[];
}

/**
 * Accepts what the block was about and nothing else: if the code has changed again since the run was blocked, the new
 * version is reported first.
 */
export async function acceptCode(
  journal: RunJournal,
  { by, via }: { by: string; via: DecisionWay },
): Promise<AcceptedCode> {
  const { runId, summary, ports } = journal;
  if (!hasProcess(summary.created)) throw noProcess(runId);
  if (isFinished(summary)) throw finished(runId);
  const code = journal.inspectCode({ afresh: true });
  const version = await readVersion(journal, code).catch((error: unknown) => {
    throw error instanceof Overtaken ? changing(runId) : error;
  });
  const { sinceConsent: files, lost, gained } = version;
  const answer = { codeHash: code.hash, files, lost, gained };
  if (summary.code.consented.hash === code.hash) return { ...answer, accepted: false, files: [], lost: [], gained: [] };
  if (summary.blocked?.code === "GATES_CHANGED" && summary.blocked.codeHash !== code.hash && lost.length > 0)
    throw await blockGates(journal, code, version);
  const draft: EventDraft = {
    type: "CODE_ACCEPTED",
    timestamp: ports.clock.now().toISOString(),
    payload: { codeHash: code.hash, files, lost, manifest: storedManifest(version.manifest), by, via },
  };
  await journal.commit((now, appended) => {
    if (appended.length > 0 || now.code.consented.hash === code.hash) return [];
    if (isFinished(now)) throw finished(runId);
    return [draft];
  });
  await journal.saveCaches();
  return { ...answer, accepted: true };
}

function finished(runId: string): BabysitterError {
  return new BabysitterError("RUN_FINISHED", `Run ${runId} has finished; its code does not run again.`, {
    details: { runId },
  });
}

function changing(runId: string): BabysitterError {
  return new BabysitterError("RUN_CONTENDED", `The code of run ${runId} is being changed right now.`, {
    hint: "Look at it, then run the command again.",
  });
}
