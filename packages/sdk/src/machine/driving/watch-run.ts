import { endingOf } from "../../drive/ending.js";
import type { Ending, ProgressView } from "../../drive/progress.js";
import { type RunStatus, statusOf } from "../../model/run-state.js";
import { describeRun } from "../../runs/describe-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { waitFor } from "../../runs/wait-for.js";
import { whoDrives } from "../who-drives.js";
import { showPast } from "./show-past.js";

/** Nothing happens in these any more unless someone wants it to. */
const OVER: ReadonlySet<RunStatus> = new Set(["completed", "cancelled", "failed", "blocked"]);

export function isOver({ summary }: RunJournal): boolean {
  return OVER.has(statusOf(summary));
}

/** Looks on until the run is over. Undefined when the signal came first. */
export async function watchRun(
  journal: RunJournal,
  { view, name, signal }: { view: Pick<ProgressView, "take">; name: string; signal: AbortSignal },
): Promise<Ending | undefined> {
  await showPast(journal, view, { name, resumed: true, watched: true });
  const driving = await whoDrives(journal);
  if (driving.by === "nobody" && !isOver(journal)) {
    const { why, next = "" } = await describeRun(journal, name, driving);
    view.take({ type: "notice", text: `Nobody is driving this run. ${why} Next: ${next}` });
  }
  try {
    await waitFor(
      journal,
      (news) => {
        for (const event of news) view.take({ type: "event", event, past: false });
        return isOver(journal) ? true : undefined;
      },
      { signal },
    );
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
  const ending = await endingOf(journal, "finished", name);
  view.take({ type: "ended", ending });
  return ending;
}
