import type { ProgressView } from "../../drive/progress.js";
import { hasProcess } from "../../model/run-state.js";
import type { RunJournal } from "../../runs/run-journal.js";

/** Shows a run and what has happened in it so far. */
export async function showPast(journal: RunJournal, view: ProgressView, resumed: boolean): Promise<void> {
  const { runId, runDir, summary, ports } = journal;
  const { processId, entry: code, at: createdAt } = summary.created;
  const entry = hasProcess(summary.created) ? `${code.path}#${code.export}` : (summary.loop?.contract.title ?? "");
  view.take({ type: "opened", run: { runId, runDir, processId, entry, resumed, createdAt } });
  for (const event of (await ports.store.read(runId, undefined)) ?? []) view.take({ type: "event", event, past: true });
}
