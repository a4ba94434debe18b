import { checkSignedDecisions } from "../../machine/check-signed-decisions.js";
import { chooseRun } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { line } from "../../model/terminal-text.js";
import type { JournalFinding } from "../../model/upkeep.js";
import { RunJournal } from "../../runs/run-journal.js";
import { upkeepOf } from "../../runs/upkeep-of.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { ports, runId } = await chooseRun(invocation, invocation.positionals[0]);
  const { events, head, findings } = await upkeepOf(ports).check(runId);
  refuseDamaged(findings, { runId, events });
  // Opening a run mends its caches.
  const decisions = await checkSignedDecisions(await RunJournal.open(ports, runId));
  const all = [...findings, ...decisions.findings];
  refuseDamaged(all, { runId, events });
  const signed = decisions.signed === 0 ? [] : [`  signed by a passkey: ${decisions.signed}`];
  const text = [`${runId}: ${events} events, all checksums and links are correct.`, ...signed, ...listOf(all)].join(
    "\n",
  );
  return {
    document: { runId, ok: true, events, head: head ?? null, signedDecisions: decisions.signed, findings: all },
    text,
  };
};

function listOf(findings: readonly JournalFinding[]): string[] {
  return findings.map(
    ({ file, problem, harmless }) => line`  ${harmless ? "harmless" : "DAMAGED "}  ${file}: ${problem}`,
  );
}

function refuseDamaged(
  findings: readonly JournalFinding[],
  { runId, events }: { runId: string; events: number },
): void {
  if (findings.some(({ harmless }) => !harmless)) {
    throw new BabysitterError(
      "JOURNAL_BROKEN",
      `The journal of ${runId} is damaged after ${events} good events.\n${listOf(findings).join("\n")}`,
      {
        hint: `Restore the files from version control or a backup; or: babysitter run:repair ${runId} --dry-run`,
        details: { runId, events, findings: findings.map((finding) => ({ ...finding })) },
      },
    );
  }
}
