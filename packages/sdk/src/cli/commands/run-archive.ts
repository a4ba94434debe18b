import { type ChosenRun, isArchived, openEnded } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import type { RunId } from "../../model/ids.js";
import { archiveRun, isDisposable, type MovedRun, restoreRun } from "../../runs/archive-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { actOnRuns } from "../answers/several-runs.js";
import { chooseArchived } from "../arguments/choose-archived.js";
import { filterOf } from "../arguments/run-filter.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = (invocation) => {
  const { options } = invocation;
  if (options.flag("restore")) {
    if (filterOf(invocation, new Date()) !== undefined)
      throw usageError(invocation, "--restore takes the names of archived runs, not a filter.");
    return actOnRuns(invocation, {
      done: "restored",
      choose: (named) => chooseArchived(invocation, named),
      act: restore,
      isFor: () => false,
    });
  }
  const failed = options.flag("failed") || options.texts("state").includes("failed");
  return actOnRuns(invocation, {
    done: "archived",
    choose: (named) => openEnded(invocation, named),
    act: (journal) => archive(invocation, journal, failed),
    isFor: (state) => state !== "damaged" && state !== "foreign" && isDisposable(state, { failed }),
  });
};

async function restore({ ports, runId }: ChosenRun): Promise<CommandResult> {
  const moved = await restoreRun(ports, runId);
  return answer(moved, false, `Restored ${runId}\n  ${moved.runDir}`);
}

async function archive(invocation: Invocation, journal: RunJournal, failed: boolean): Promise<CommandResult> {
  if (isArchived(invocation, journal)) throw archivedAlready(journal.runId);
  const moved = await archiveRun(journal.ports, journal.runId, { failed });
  return answer(
    moved,
    true,
    `Archived ${moved.runId}\n  ${moved.runDir}\nto restore it: babysitter run:archive ${moved.runId} --restore`,
  );
}

function answer(moved: MovedRun, archived: boolean, text: string): CommandResult {
  return { document: { ...moved, archived }, text };
}

function archivedAlready(runId: RunId): BabysitterError {
  return new BabysitterError("RUN_EXISTS", `Run ${runId} is already archived.`, {
    hint: `To restore it: babysitter run:archive ${runId} --restore`,
    details: { runId },
  });
}
