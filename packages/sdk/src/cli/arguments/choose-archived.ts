import path from "node:path";
import { type ChosenRun, callerPorts, isArchived, runMeant } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId } from "../../model/ids.js";
import { archivedPorts, upkeepOf } from "../../runs/upkeep-of.js";
import type { Invocation } from "../grammar/invocation.js";

/** An id, the directory in the archive, the directory it had before, or the only archived run. */
export async function chooseArchived(invocation: Invocation, named: string | undefined): Promise<ChosenRun> {
  const { runsDir, archiveDir } = invocation.places();
  if (named === undefined || named === "") return onlyArchived(invocation);
  if (!named.includes("/") || named.includes("\0")) {
    const ports = callerPorts(invocation);
    return { ports, runId: (await runMeant(archivedPorts(ports), named, archiveDir)) ?? parseRunId(named) };
  }
  const dir = path.resolve(invocation.cwd, named);
  const runId = parseRunId(path.basename(dir));
  const inArchive = isArchived(invocation, { runDir: dir });
  return { ports: callerPorts(invocation, inArchive ? runsDir : path.dirname(dir)), runId };
}

async function onlyArchived(invocation: Invocation): Promise<ChosenRun> {
  const ports = callerPorts(invocation);
  const runs = (await upkeepOf(ports).archived().store.list()).filter(({ foreign }) => !foreign);
  const [only, ...others] = runs;
  if (only !== undefined && others.length === 0) return { ports, runId: only.runId };
  throw new BabysitterError(
    runs.length === 0 ? "RUN_NOT_FOUND" : "RUN_AMBIGUOUS",
    runs.length === 0 ? "There are no archived runs." : `There are ${runs.length} archived runs; name one.`,
    {
      hint: "`babysitter run:list --archived` lists them.",
      details: { archived: runs.map(({ runId }) => runId as string) },
    },
  );
}
