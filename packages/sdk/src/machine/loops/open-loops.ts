/** The loops of a project that someone could resume, the newest first. */
import fs from "node:fs";
import path from "node:path";
import { LOOP_MARK } from "../../journal/files/layout.js";
import { BabysitterError } from "../../model/errors.js";
import type { Ports } from "../../model/ports.js";
import { RunJournal } from "../../runs/run-journal.js";

/** A session must not wait until hundreds of old runs are read. */
const MAX_LOOKED_AT = 50;

export async function openLoops(ports: Ports): Promise<RunJournal[]> {
  const runs = (await ports.store.list()).filter(
    ({ foreign, runId }) => !foreign && fs.existsSync(path.join(ports.workspace.runDir(runId), LOOP_MARK)),
  );
  const newest = runs.toSorted((a, b) => b.runId.localeCompare(a.runId)).slice(0, MAX_LOOKED_AT);
  const journals = await Promise.all(newest.map(async ({ runId }) => openIfReadable(ports, runId)));
  return journals.filter(
    (journal): journal is RunJournal =>
      journal?.summary.loop !== undefined &&
      journal.summary.loop.ended === undefined &&
      journal.summary.cancelled === undefined,
  );
}

async function openIfReadable(ports: Ports, runId: RunJournal["runId"]): Promise<RunJournal | undefined> {
  try {
    return await RunJournal.open(ports, runId);
  } catch (error) {
    if (BabysitterError.is(error)) return undefined;
    throw error;
  }
}
