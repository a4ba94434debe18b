import { checkSignedDecisions } from "../../machine/check-signed-decisions.js";
import { chooseRun } from "../../machine/choose-run.js";
import { counted } from "../../model/shown-amounts.js";
import { RunJournal } from "../../runs/run-journal.js";
import { upkeepOf } from "../../runs/upkeep-of.js";
import { findingLines, refuseDamaged } from "../answers/journal-damage.js";
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
  const text = [
    `${runId}: ${counted(events, "event")}, all checksums and links are correct.`,
    ...signed,
    ...findingLines(all),
  ].join("\n");
  return {
    document: { runId, ok: true, events, head: head ?? null, signedDecisions: decisions.signed, findings: all },
    text,
  };
};
