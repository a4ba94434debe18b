/** The loops of a project that someone could resume, the newest first. */
import fs from "node:fs";
import path from "node:path";
import { LOOP_MARK } from "../../journal/files/layout.js";
import type { RunId } from "../../model/ids.js";
import type { Ports } from "../../model/ports.js";
import { NotedRuns } from "../../runs/noted-runs.js";
import { RunJournal } from "../../runs/run-journal.js";
import { ifReadable, type OnUnreadable } from "../../runs/unreadable-runs.js";

/** A session must not wait until hundreds of old runs are read. */
const MAX_LOOKED_AT = 50;

export async function openLoops(ports: Ports, onUnreadable: OnUnreadable = () => undefined): Promise<RunJournal[]> {
  const hasMark = (runId: RunId): boolean => fs.existsSync(path.join(ports.workspace.runDir(runId), LOOP_MARK));
  const { runs: all } = await NotedRuns.list(ports);
  const runs = all
    .filter(({ foreign, over }) => !foreign && over !== true)
    .filter(({ runId, note }) => (note === undefined ? hasMark(runId) : note.loop));
  const newest = runs.toSorted((a, b) => b.runId.localeCompare(a.runId)).slice(0, MAX_LOOKED_AT);
  const journals = await Promise.all(
    newest.map(({ runId }) => ifReadable({ ports, runId }, onUnreadable, () => RunJournal.open(ports, runId))),
  );
  return journals.filter(
    (journal): journal is RunJournal =>
      journal?.summary.loop !== undefined &&
      journal.summary.loop.ended === undefined &&
      journal.summary.cancelled === undefined,
  );
}
