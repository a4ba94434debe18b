/** The code of a process as it is now, compared with what the journal knows of it. */

import type { CodeReading } from "../model/code-versions.js";
import { type CodeManifest, changedFiles, type FileChange, type Gate, missingGates } from "../model/code-versions.js";
import type { StoredValue } from "../model/events.js";
import type { Json } from "../model/json.js";
import type { ProcessCode } from "../model/ports.js";
import type { RunSummary } from "../model/run-state.js";
import { lineDiff } from "./line-diff.js";
import { Overtaken } from "./overtaken.js";
import type { RunJournal } from "./run-journal.js";

export interface CodeVersion {
  manifest: CodeManifest;
  /** Gates of the consented code that this one lacks, and gates of its own. */
  lost: Gate[];
  gained: Gate[];
  /** Files that differ from the code that ran last, and from the consented code. */
  files: FileChange[];
  sinceConsent: FileChange[];
  reading: CodeReading;
}

export async function readVersion(journal: RunJournal, code: ProcessCode): Promise<CodeVersion> {
  const reading = code.snapshot();
  if (reading.hash !== code.hash) throw new Overtaken();
  const { manifest: last, consented } = journal.summary.code;
  const manifest = manifestOf(reading);
  const agreed = await manifestAt(journal, consented.manifest);
  const before = await manifestAt(journal, last);
  return {
    manifest,
    reading,
    lost: agreed === undefined ? [] : missingGates(agreed.gates, manifest.gates),
    gained: agreed === undefined ? [] : missingGates(manifest.gates, agreed.gates),
    files: before === undefined ? [] : changedFiles(before, manifest),
    sinceConsent: agreed === undefined ? [] : changedFiles(agreed, manifest),
  };
}

/** What people are told of code that nobody has agreed to yet. */
export interface ChangedCode {
  runId: string;
  /** What differs from the code that ran last; empty when the journal does not know that. */
  files: string[];
  /** Breakpoints that are missing, if that blocks the run. */
  lost: number;
}

export async function changedCode(journal: RunJournal, code: ProcessCode): Promise<ChangedCode> {
  const { files, lost } = await readVersion(journal, code).catch((error: unknown) => {
    // It is being changed at this very moment: that is all there is to say.
    if (error instanceof Overtaken) return { files: [], lost: [] };
    throw error;
  });
  return {
    runId: journal.runId,
    files: files.map(({ path }) => path),
    lost: arePinned(journal.summary) ? lost.length : 0,
  };
}

/** What the journal keeps of a version. */
export function manifestOf({ files, gates }: CodeReading): CodeManifest {
  return { files: files.map(({ path, sha256 }) => ({ path, sha256 })), gates };
}

/** A manifest as an event has it. */
export function storedManifest(manifest: CodeManifest): StoredValue {
  return { value: manifest as unknown as Json };
}

/** Undefined for journals of versions that recorded none. */
async function manifestAt(
  journal: RunJournal,
  place: { seq: number; id: string } | undefined,
): Promise<CodeManifest | undefined> {
  if (place === undefined) return undefined;
  const { payload } = await journal.ports.store.readAt(journal.runId, place);
  const { manifest } = payload as { manifest?: StoredValue };
  return manifest === undefined ? undefined : ((await journal.valueOf(manifest)) as unknown as CodeManifest);
}

const MAX_DIFF = 256 * 1024;

/** What is different from the code that ran last, as text. */
export async function diffOf({ ports, runId }: RunJournal, { files, reading }: CodeVersion): Promise<string> {
  const texts = new Map(reading.files.map(({ path, text }) => [path, text]));
  const parts: string[] = [];
  for (const { path, before, after } of files) {
    const old = before === undefined ? undefined : await ports.workspace.readSource(runId, { path, sha256: before });
    const isKept = before === undefined || old !== undefined;
    const now = after === undefined ? undefined : texts.get(path);
    parts.push(isKept ? lineDiff(path, old, now) : `# ${path}: changed; its earlier text is not kept here.\n`);
  }
  const diff = parts.join("");
  return diff.length > MAX_DIFF
    ? `${diff.slice(0, MAX_DIFF)}\n# … and ${diff.length - MAX_DIFF} more characters\n`
    : diff;
}

/** True when a change of the code that loses gates blocks the run. What the run began with counts, not the settings of today. */
export function arePinned({ created, loop }: RunSummary): boolean {
  const agreed = loop?.contract.settings.gates;
  if (created.gates === "pinned" || agreed === "pinned") return true;
  return agreed !== "free" && (loop?.sessions.length ?? 0) > 0;
}
