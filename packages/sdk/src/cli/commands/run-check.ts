import { chooseRun } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { line } from "../../model/terminal-text.js";
import { RunJournal } from "../../runs/run-journal.js";
import { upkeepOf } from "../../runs/upkeep-of.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { ports, runId } = await chooseRun(invocation, invocation.positionals[0]);
  const { events, head, findings } = await upkeepOf(ports).check(runId);
  const serious = findings.filter(({ harmless }) => !harmless);
  const list = findings.map(
    ({ file, problem, harmless }) => line`  ${harmless ? "harmless" : "DAMAGED "}  ${file}: ${problem}`,
  );
  if (serious.length > 0) {
    throw new BabysitterError(
      "JOURNAL_BROKEN",
      `The journal of ${runId} is damaged after ${events} good events.\n${list.join("\n")}`,
      {
        hint: `Restore the files from version control or a backup; or: babysitter run:repair ${runId} --dry-run`,
        details: { runId, events, findings: findings.map((finding) => ({ ...finding })) },
      },
    );
  }
  // Opening a run mends its caches.
  await RunJournal.open(ports, runId);
  const text = [`${runId}: ${events} events, all checksums and links are correct.`, ...list].join("\n");
  return { document: { runId, ok: true, events, head: head ?? null, findings }, text };
};
