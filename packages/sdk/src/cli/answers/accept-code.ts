import { visibleLine } from "../../model/shown-text.js";
import type { DecisionWay } from "../../model/who-may-decide.js";
import { type AcceptedCode, acceptCode } from "../../runs/accept-code.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { CommandResult } from "../grammar/invocation.js";

/** Accepts the code of a run for a person, and says what that means. Who may do so is for the caller to see to. */
export async function acceptCodeHere(
  journal: RunJournal,
  { by, via, runName }: { by: string; via: DecisionWay; runName: string },
): Promise<CommandResult> {
  const { runId, runDir } = journal;
  const accepted = await acceptCode(journal, { by, via });
  const next = `babysitter run:iterate ${runName}`;
  return { document: { runId, runDir, ...accepted, by, via, next }, text: render(runId, accepted, next) };
}

function render(runId: string, { accepted, files, lost, gained }: AcceptedCode, next: string): string {
  if (!accepted) return `The code of ${runId} is already accepted; there is nothing to do.`;
  return [
    `Accepted the code of ${runId} as it is now.`,
    ...files.map((file) => `  ${whatHappened(file)} ${visibleLine(file.path)}`),
    ...lost.map(({ file, text }) => `  removed: breakpoint(${visibleLine(text)}) in ${visibleLine(file)}`),
    ...gained.map(({ file, text }) => `  new: breakpoint(${visibleLine(text)}) in ${visibleLine(file)}`),
    `next: ${next}`,
  ].join("\n");
}

function whatHappened({ before, after }: AcceptedCode["files"][number]): string {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}
