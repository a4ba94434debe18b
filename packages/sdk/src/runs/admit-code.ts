/**
 * Before code runs: one that has lost gates is stopped where gates are pinned, and of one that is not what ran last it
 * is said what changed. Gates are compared as text, before anything of the code is executed.
 */
import type { EventDraft } from "../model/events.js";
import type { ProcessCode } from "../model/ports.js";
import { isFinished, type RunSummary } from "../model/run-state.js";
import { arePinned, type CodeVersion, diffOf, readVersion, storedManifest } from "./code-version.js";
import { blockedError, gatesReport } from "./gates-report.js";
import { Overtaken } from "./overtaken.js";
import type { RunJournal } from "./run-journal.js";

/** A change that is recorded together with the first thing that the changed code does. */
export interface PendingChange {
  draft: EventDraft;
  /** False when someone else has run or accepted other code meanwhile. */
  isStillTrue: (summary: RunSummary) => boolean;
}

/** True for code that ran last time and may go on. */
export function isAdmitted(summary: RunSummary, code: ProcessCode): boolean {
  // A session may have been bound after gates were lost, and people may have agreed to other code since.
  return summary.code.hash === code.hash && (!arePinned(summary) || summary.code.lost?.length === 0);
}

/** Undefined for code that ran last time, too. */
export async function admitCode(journal: RunJournal, code: ProcessCode): Promise<PendingChange | undefined> {
  if (isAdmitted(journal.summary, code)) return undefined;
  const known = journal.summary.code;
  const isKnown = known.hash === code.hash;
  const isPinned = arePinned(journal.summary);
  const version = await readVersion(journal, code);
  if (isPinned && version.lost.length > 0) throw await blockGates(journal, code, version);
  if (isKnown) return undefined;
  const diff = await diffOf(journal, version);
  await keepTexts(journal, version);
  const { hash: before, consented } = known;
  const { files, lost, manifest } = version;
  return {
    draft: {
      type: "CODE_CHANGED",
      timestamp: journal.ports.clock.now().toISOString(),
      payload: {
        before,
        codeHash: code.hash,
        files,
        lost,
        manifest: storedManifest(manifest),
        diff: { value: diff },
      },
    },
    isStillTrue: ({ code: now }) => now.hash === before && now.consented.hash === consented.hash,
  };
}

/** The next change is shown against these. */
async function keepTexts({ ports, runId }: RunJournal, { files, reading }: CodeVersion): Promise<void> {
  const changed = new Set(files.map(({ path }) => path));
  await ports.workspace.keepSources(
    runId,
    reading.files.filter(({ path }) => changed.has(path)),
  );
}

/** Records once per version that the run is blocked; answers the error for whoever wanted to run it. */
export async function blockGates(journal: RunJournal, code: ProcessCode, version: CodeVersion): Promise<Error> {
  const isTold = (): boolean => {
    const { blocked } = journal.summary;
    return blocked?.code === "GATES_CHANGED" && blocked.codeHash === code.hash;
  };
  const diff = isTold() ? "" : await diffOf(journal, version);
  const timestamp = journal.ports.clock.now().toISOString();
  await journal.commit((summary, appended) => {
    if (appended.length > 0 || isTold()) return [];
    if (isFinished(summary)) throw new Overtaken();
    const payload = {
      processHead: summary.processHead,
      codeHash: code.hash,
      code: "GATES_CHANGED" as const,
      report: gatesReport({ ...version, files: version.sinceConsent }),
      diff: { value: diff },
    };
    return [{ type: "RUN_BLOCKED", timestamp, payload }];
  });
  await journal.saveCaches();
  const { blocked } = journal.summary;
  return blocked === undefined ? new Overtaken() : blockedError(journal.runId, blocked);
}
