import { BabysitterError } from "../../model/errors.js";
import { counted } from "../../model/shown-amounts.js";
import { line } from "../../model/terminal-text.js";
import type { JournalFinding } from "../../model/upkeep.js";

export function findingLines(findings: readonly JournalFinding[]): string[] {
  return findings.map(
    ({ file, problem, harmless }) => line`  ${harmless ? "harmless" : "DAMAGED "}  ${file}: ${problem}`,
  );
}

/** What was in these files stands nowhere else, so no repair brings it back. */
export function lostValues(findings: readonly JournalFinding[]): JournalFinding[] {
  return findings.filter(({ file, harmless }) => !harmless && file.startsWith("blobs/"));
}

export function refuseDamaged(
  findings: readonly JournalFinding[],
  { runId, events }: { runId: string; events: number },
): void {
  const damaged = findings.filter(({ harmless }) => !harmless);
  if (damaged.length === 0) return;
  const isRepairable = damaged.length > lostValues(findings).length;
  const what = isRepairable
    ? `The journal of ${runId} is damaged after ${counted(events, "good event")}.`
    : `The journal of ${runId} is intact (${counted(events, "event")}), but values that it needs are not.`;
  throw new BabysitterError("JOURNAL_BROKEN", [what, ...findingLines(findings)].join("\n"), {
    hint: isRepairable
      ? `Restore the files from version control or a backup; or: babysitter run:repair ${runId} --dry-run`
      : "Copy the files from the machine that ran it, or from a backup. No repair can bring them back.",
    details: { runId, events, findings: findings.map((finding) => ({ ...finding })) },
  });
}
