import { chooseRun } from "../../machine/choose-run.js";
import { counted } from "../../model/shown-amounts.js";
import { line } from "../../model/terminal-text.js";
import { RunJournal } from "../../runs/run-journal.js";
import { upkeepOf } from "../../runs/upkeep-of.js";
import { findingLines, lostValues, refuseDamaged } from "../answers/journal-damage.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { ports, runId } = await chooseRun(invocation, invocation.positionals[0]);
  const dryRun = invocation.options.flag("dry-run");
  const stamp = ports.clock.now().toISOString().replaceAll(":", "-");
  const { moved, backup, events } = await upkeepOf(ports).repair(runId, { dryRun, stamp });
  const lost = lostValues((await upkeepOf(ports).check(runId)).findings);
  if (moved.length === 0) refuseDamaged(lost, { runId, events });
  // Opening a run mends its caches.
  if (!dryRun) await RunJournal.open(ports, runId);
  const list = moved.map(({ file, problem }) => line`  ${file}: ${problem}`);
  const verb = dryRun ? "Would move aside" : "Moved aside";
  const text =
    moved.length === 0
      ? `${runId}: nothing to repair.`
      : [
          `${verb}, keeping ${counted(events, "good event")}:`,
          ...list,
          ...(backup === undefined ? [] : [line`Backup of the journal: ${backup}`]),
          ...(lost.length === 0 ? [] : ["No repair can bring these back:", ...findingLines(lost)]),
        ].join("\n");
  return { document: { runId, dryRun, moved, backup: backup ?? null, events, lost }, text };
};
