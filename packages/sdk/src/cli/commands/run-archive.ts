import path from "node:path";
import { type ChosenRun, callerPorts, isArchived, openToLook } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId, type RunId } from "../../model/ids.js";
import { archiveRun, type MovedRun, restoreRun } from "../../runs/archive-run.js";
import { upkeepOf } from "../../runs/upkeep-of.js";
import type { Command, Invocation } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { options } = invocation;
  if (options.flag("restore")) {
    const { ports, runId } = await chooseArchived(invocation);
    const moved = await restoreRun(ports, runId);
    return answer(moved, false, `Restored ${runId}\n  ${moved.runDir}`);
  }
  const journal = await openToLook(invocation, invocation.positionals[0]);
  if (isArchived(invocation, journal)) throw archivedAlready(journal.runId);
  const moved = await archiveRun(journal.ports, journal.runId, { failed: options.flag("failed") });
  return answer(
    moved,
    true,
    `Archived ${moved.runId}\n  ${moved.runDir}\nto restore it: babysitter run:archive ${moved.runId} --restore`,
  );
};

function answer(moved: MovedRun, archived: boolean, text: string): { document: object; text: string } {
  return { document: { ...moved, archived }, text };
}

function archivedAlready(runId: RunId): BabysitterError {
  return new BabysitterError("RUN_EXISTS", `Run ${runId} is already archived.`, {
    hint: `To restore it: babysitter run:archive ${runId} --restore`,
    details: { runId },
  });
}

/** An id, the directory in the archive, the directory it had before, or the only archived run. */
async function chooseArchived(invocation: Invocation): Promise<ChosenRun> {
  const [named] = invocation.positionals;
  const { runsDir } = invocation.places();
  if (named === undefined || named === "") return onlyArchived(invocation);
  if (!named.includes("/") || named.includes("\0")) return { ports: callerPorts(invocation), runId: parseRunId(named) };
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
    "RUN_AMBIGUOUS",
    runs.length === 0 ? "There are no archived runs." : `There are ${runs.length} archived runs; name one.`,
    {
      hint: "`babysitter run:list --archived` lists them.",
      details: { archived: runs.map(({ runId }) => runId as string) },
    },
  );
}
