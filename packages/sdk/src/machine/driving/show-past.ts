import type { ProgressView } from "../../drive/progress.js";
import { hasProcess } from "../../model/run-state.js";
import type { RunJournal } from "../../runs/run-journal.js";

/** Shows a run and what has happened in it so far. */
export async function showPast(
  journal: RunJournal,
  view: Pick<ProgressView, "take">,
  { name, ...how }: { name: string; resumed: boolean; watched?: boolean },
): Promise<void> {
  const { runId, runDir, summary, ports } = journal;
  const { processId, entry: code, at: createdAt } = summary.created;
  const entry = hasProcess(summary.created) ? `${code.path}#${code.export}` : (summary.loop?.contract.title ?? "");
  const hasBegun = summary.counts.requested > 0 || (summary.loop?.sessions.length ?? 0) > 0;
  const isFinished = summary.completed !== undefined || summary.cancelled !== undefined;
  const resumed = how.resumed && hasBegun && (how.watched === true || !isFinished);
  view.take({ type: "opened", run: { runId, name, runDir, processId, entry, ...how, resumed, createdAt } });
  // What has come since the journal was opened is news to whoever continues from there.
  for (const event of (await ports.store.read(runId, undefined)) ?? [])
    if (event.seq <= summary.head.seq) view.take({ type: "event", event, past: true });
}
