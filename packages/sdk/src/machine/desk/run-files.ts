/**
 * What a run has left in its directory for people: logs of tasks, artifacts, evidence of criteria, and how its code has
 * changed. Agents can write
 * there, so only regular files that are really inside are read, and never more than was asked for.
 */
import fs from "node:fs";
import path from "node:path";
import { readRegularFrom } from "../../files/read-regular-file.js";
import { refusedBySystem } from "../../model/errno.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import { isFinished, pendingOf } from "../../model/run-state.js";
import { RunJournal } from "../../runs/run-journal.js";
import type { Desk } from "./desk.js";
import { listTranscripts, type RunTranscript, readTranscript, type TranscriptPart } from "./run-transcripts.js";

type RunFileKind = "log" | "artifact" | "evidence" | "diff";

export interface RunFile {
  kind: RunFileKind;
  /** Relative to the run, with slashes. */
  path: string;
  bytes: number;
  modifiedAt: string;
  /** Of a log. */
  effectId?: string;
}

/** A part of a file; `next` is where the next one begins, null at the end of the file. */
export interface FilePart {
  bytes: Uint8Array;
  from: number;
  next: number | null;
  size: number;
}

const KINDS: Readonly<Record<string, RunFileKind>> = {
  tasks: "log",
  artifacts: "artifact",
  evidence: "evidence",
  "code-changes": "diff",
};
const DIFF = /^code-changes\/\d+\.diff$/u;
const LOG = /^tasks\/([^/]+)\/(?:stdout|stderr)(?:\.attempt-\d+)?\.log$/u;
const MAX_FILES = 2_000;
const MAX_DEPTH = 12;
const MAX_PART = 1024 * 1024;
const LOOK_MS = 200;

/** Reads what a run has left for people, and what its agents have said. */
export class RunFiles {
  readonly #desk: Pick<Desk, "env">;
  readonly #journal: RunJournal;

  constructor(desk: Pick<Desk, "env">, journal: RunJournal) {
    this.#desk = desk;
    this.#journal = journal;
  }

  /** Of the sessions that have worked on the run and of their subagents, as far as they are on this machine. */
  transcripts(): RunTranscript[] {
    return guarded(() => listTranscripts(this.#desk, this.#journal));
  }

  /** A part of one of them, whole entries only; `from` is the `next` of the part before. */
  readTranscript(id: string, { from = 0 }: { from?: number } = {}): TranscriptPart {
    return guarded(() => readTranscript(this.#desk, this.#journal, { id, from }));
  }

  /** Those that are there, by their paths. `more`: there are too many to list all. */
  list({ kind, effectId }: { kind?: RunFileKind; effectId?: string } = {}): { files: RunFile[]; more: boolean } {
    const files: RunFile[] = [];
    const folders = Object.keys(KINDS).filter((folder) => kind === undefined || KINDS[folder] === kind);
    const isWanted = (file: RunFile): boolean => effectId === undefined || file.effectId === effectId;
    const more = guarded(() =>
      folders.some(
        (folder) => !this.#walk(folder, MAX_DEPTH, (file) => isWanted(file) && files.push(file) > MAX_FILES),
      ),
    );
    return { files: files.slice(0, MAX_FILES).toSorted((a, b) => (a.path < b.path ? -1 : 1)), more };
  }

  /** A part of one of them, from a place in it; a negative one counts from its end. */
  read(name: string, { from = 0, most = MAX_PART }: { from?: number; most?: number } = {}): FilePart {
    return guarded(() => this.#read(name, from, most)).part;
  }

  /**
   * What is in one of them, and what comes, until the task has ended, or the run; `signal` ends it earlier. A part that
   * begins at 0 again is of another file that has taken its place, such as the log of the next attempt.
   */
  async *follow(
    name: string,
    { from = 0, signal }: { from?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<FilePart> {
    const journal = await RunJournal.open(this.#journal.ports, this.#journal.runId);
    const place = { at: from, id: "" };
    for (;;) {
      if (signal?.aborted === true) return;
      // Asked first: what was written before the end is read after it.
      await journal.catchUp();
      const isOver = !isGrowing(journal, name);
      const part = guarded(() => this.#nextPart(name, place));
      if (part !== undefined) yield part;
      else if (isOver) return;
      else await pause(LOOK_MS, signal);
    }
  }

  #nextPart(name: string, place: { at: number; id: string }): FilePart | undefined {
    const found = this.#readIfThere(name, place.at);
    if (found === undefined) return undefined;
    const { part, id } = found;
    const isOther = (place.id !== "" && id !== place.id) || part.size < place.at;
    place.id = id;
    if (isOther) {
      place.at = 0;
      return this.#nextPart(name, place);
    }
    place.at = part.bytes.length === 0 ? place.at : part.from + part.bytes.length;
    return part.bytes.length === 0 ? undefined : part;
  }

  #readIfThere(name: string, from: number): { part: FilePart; id: string } | undefined {
    try {
      return this.#read(name, from, MAX_PART);
    } catch (error) {
      // A task that has not printed anything yet has no log.
      if (BabysitterError.is(error) && error.code === "FILE_NOT_SHOWN" && error.details["why"] === "missing")
        return undefined;
      throw error;
    }
  }

  #read(name: string, from: number, most: number): { part: FilePart; id: string } {
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(most) || most < 1)
      throw new BabysitterError("USAGE", `A part of a file must start at a whole number and have at least one byte.`);
    const file = this.#insideOnly(name);
    const start = from < 0 ? this.#fromEnd(name, file, from) : from;
    const found = readRegularFrom(file, start, Math.min(most, MAX_PART));
    if (found.kind === "none") throw this.#notShown(name, "missing");
    if (found.kind === "unfit") throw this.#notShown(name, found.problem);
    // A folder may have been replaced by a link while it was read.
    this.#insideOnly(name);
    const { bytes, size, id } = found;
    const end = start + bytes.length;
    return { part: { bytes, from: start, next: end < size ? end : null, size }, id };
  }

  #fromEnd(name: string, file: string, from: number): number {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) throw this.#notShown(name, "missing");
    return Math.max(0, stat.size + from);
  }

  /** Its path, when that leads to where it says: below one of the folders, and by no link. */
  #insideOnly(name: string): string {
    const parts = name.split("/");
    const kind = kindOf(name);
    const isPlain = parts.length > 1 && parts.every((part) => part !== "" && part !== "." && part !== "..");
    if (kind === undefined || !isPlain || name.includes("\0"))
      throw this.#notShown(name, "it is not one of the run's logs, artifacts, evidence or differences of code");
    const folder = path.join(this.#journal.runDir, ...parts.slice(0, -1));
    const real = realPath(folder);
    if (real === undefined) throw this.#notShown(name, "missing");
    if (real !== path.join(fs.realpathSync.native(this.#journal.runDir), ...parts.slice(0, -1)))
      throw this.#notShown(name, "it is outside the run");
    return path.join(folder, parts.at(-1) as string);
  }

  /** Tells `take` of every regular file below a folder until it has enough; false then. Links lead nowhere. */
  #walk(folder: string, depth: number, take: (file: RunFile) => boolean): boolean {
    const dir = openFolder(path.join(this.#journal.runDir, folder));
    if (dir === undefined) return true;
    try {
      for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) {
        const name = `${folder}/${entry.name}`;
        if (entry.isDirectory() && depth > 0 && !this.#walk(name, depth - 1, take)) return false;
        const file = entry.isFile() ? this.#fileNamed(name) : undefined;
        if (file !== undefined && take(file)) return false;
      }
      return true;
    } finally {
      dir.closeSync();
    }
  }

  #fileNamed(name: string): RunFile | undefined {
    const kind = kindOf(name);
    if (kind === undefined) return undefined;
    const effectId = LOG.exec(name)?.[1];
    const stat = fs.lstatSync(path.join(this.#journal.runDir, name), { throwIfNoEntry: false });
    if (stat?.isFile() !== true) return undefined;
    return { kind, path: name, bytes: stat.size, modifiedAt: stat.mtime.toISOString(), ...defined({ effectId }) };
  }

  #notShown(name: string, why: string): BabysitterError {
    return new BabysitterError(
      "FILE_NOT_SHOWN",
      `${JSON.stringify(name)} of run ${this.#journal.runId} is not shown: ${why}.`,
      {
        details: { runId: this.#journal.runId, path: name, why },
      },
    );
  }
}

/** Undefined for what is not shown. */
function kindOf(name: string): RunFileKind | undefined {
  const [folder = ""] = name.split("/");
  const kind = Object.hasOwn(KINDS, folder) ? KINDS[folder] : undefined;
  const isMade = (kind !== "log" || LOG.test(name)) && (kind !== "diff" || DIFF.test(name));
  return isMade ? kind : undefined;
}

function isGrowing({ summary }: RunJournal, name: string): boolean {
  const effectId = LOG.exec(name)?.[1];
  return !isFinished(summary) && (effectId === undefined || pendingOf(summary, effectId) !== undefined);
}

/** Not through a link. */
function openFolder(dir: string): fs.Dir | undefined {
  if (fs.lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  return fs.opendirSync(dir);
}

function realPath(dir: string): string | undefined {
  try {
    return fs.realpathSync.native(dir);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code)) return undefined;
    throw error;
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
    signal?.addEventListener("abort", end);
  });
}

function guarded<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw refusedBySystem(error) ?? error;
  }
}
