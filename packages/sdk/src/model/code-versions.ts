/** The versions of a process's code: what is recorded of each, how two of them differ, and where a run stands. */
import type { CodeAccepted, CodeChanged, RunCreated } from "./events.js";

/** A call of `.breakpoint(` in the code of a process. */
export interface Gate {
  /** The file that it is in. */
  file: string;
  /** Hash of its arguments without white space and comments. */
  hash: string;
  /** The arguments for people, shortened. */
  text: string;
}

/** One version of the code. */
export interface CodeManifest {
  files: { path: string; sha256: string }[];
  gates: Gate[];
}

/** The code of a process, all files read at one go. */
export interface CodeReading {
  hash: string;
  files: { path: string; text: string; sha256: string }[];
  gates: Gate[];
  /** Files that import what nobody can tell before they run: changes there go unnoticed. */
  blind?: string[];
}

/** A file that differs between two versions. Without `before` it is new, without `after` it is gone. */
export interface FileChange {
  path: string;
  before?: string;
  after?: string;
}

/** When a change of the code that loses gates blocks a run: never, in runs that belong to an agent's session, always. */
export type GatesPolicy = "free" | "bound" | "pinned";

export function changedFiles(before: CodeManifest, after: CodeManifest): FileChange[] {
  const old = new Map(before.files.map(({ path, sha256 }) => [path, sha256]));
  const now = new Map(after.files.map(({ path, sha256 }) => [path, sha256]));
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => old.get(path) !== now.get(path))
    .toSorted()
    .map((path) => {
      const [was, is] = [old.get(path), now.get(path)];
      return { path, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) };
    });
}

/** The gates that `present` lacks. Equal ones are counted; in which file they are does not matter. */
export function missingGates(wanted: readonly Gate[], present: readonly Gate[]): Gate[] {
  const left = new Map<string, number>();
  for (const { hash } of present) left.set(hash, (left.get(hash) ?? 0) + 1);
  return wanted.filter(({ hash }) => {
    const count = left.get(hash) ?? 0;
    left.set(hash, count - 1);
    return count <= 0;
  });
}

interface EventPlace {
  seq: number;
  id: string;
}

/** Where a run stands with its code. */
export interface CodeStanding {
  /** Of the code that the last iteration ran; before the first one, of the code that the run began with. */
  hash: string;
  /** The event that has the manifest of this code; missing in journals of versions that recorded none. */
  manifest?: EventPlace;
  /** The same for the code that people agreed to: at first that of the beginning, then what they accepted. */
  consented: { hash: string; manifest?: EventPlace };
  /** Gates of the consented code that this one lacks; missing when they have not been compared. */
  lost?: Gate[];
  /** How often the code has changed, and every file that has. */
  changes: number;
  files: string[];
  last?: EventPlace & { at: string };
  accepted?: { at: string; by: string; via: string; codeHash: string };
}

/** The standing after an event that gives a run its process. */
export function beginCode({
  payload,
  seq,
  id,
}: EventPlace & { payload: Pick<RunCreated, "codeHash" | "manifest"> }): CodeStanding {
  const version = { hash: payload.codeHash, ...(payload.manifest === undefined ? {} : { manifest: { seq, id } }) };
  return { ...version, consented: version, lost: [], changes: 0, files: [] };
}

export function foldCodeChanged(
  code: CodeStanding,
  { payload, seq, id, timestamp: at }: EventPlace & { timestamp: string; payload: CodeChanged },
): void {
  code.hash = payload.codeHash;
  code.manifest = { seq, id };
  code.lost = payload.lost;
  code.changes += 1;
  code.files = [...new Set([...code.files, ...payload.files.map(({ path }) => path)])];
  code.last = { seq, id, at };
}

export function foldCodeAccepted(
  code: CodeStanding,
  { payload, seq, id, timestamp: at }: EventPlace & { timestamp: string; payload: CodeAccepted },
): void {
  const { codeHash, by, via } = payload;
  code.consented = { hash: codeHash, manifest: { seq, id } };
  code.accepted = { at, by, via, codeHash };
  if (code.hash === codeHash) code.lost = [];
  else delete code.lost;
}

const MAX_NAMED = 5;

/** That the code has changed, for people; undefined when it has not. */
export function codeChangeText({ files, changes, lost = [] }: CodeStanding): string | undefined {
  if (changes === 0) return undefined;
  const what =
    files.length === 0
      ? "The code of the process changed after it began."
      : `${files.length} ${files.length === 1 ? "file" : "files"} of the process changed after it began: ${named(files)}.`;
  if (lost.length === 0) return what;
  return `${what} ${lost.length} ${lost.length === 1 ? "breakpoint" : "breakpoints"} of the original code ${lost.length === 1 ? "is" : "are"} missing.`;
}

function named(files: readonly string[]): string {
  const more = files.length - MAX_NAMED;
  return `${files.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
