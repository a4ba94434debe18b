import { callerPorts, type RunCaller } from "../../machine/choose-run.js";
import { type ListedRun, listRuns } from "../../runs/list-runs.js";
import { archivedPorts } from "../../runs/upkeep-of.js";
import type { CommandResult } from "../grammar/invocation.js";
import { age, alignColumns } from "../output/output.js";
import { type Paint, paintState } from "../output/paint.js";

/** The runs of a project, the newest first. */
export async function listAnswer(
  caller: RunCaller,
  { open, archived, paint }: { open: boolean; archived: boolean; paint: Paint },
): Promise<CommandResult & { document: { runsDir: string; runs: ListedRun[] } }> {
  const ports = callerPorts(caller);
  const runs = await listRuns(archived ? archivedPorts(ports) : ports, { open });
  const places = caller.places();
  const runsDir = archived ? places.archiveDir : places.runsDir;
  const now = ports.clock.now();
  const table = runs.map(({ runId, state, createdAt, processId = "", why = "" }) => [
    runId,
    paintState(paint, state),
    createdAt === undefined ? "" : age(createdAt, now),
    processId,
    why,
  ]);
  const text =
    runs.length === 0 ? `No runs in ${runsDir}.` : alignColumns([["RUN", "STATE", "AGE", "PROCESS", ""], ...table]);
  return { document: { runsDir, runs }, text };
}
