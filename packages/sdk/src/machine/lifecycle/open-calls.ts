/**
 * A note that this program calls the hooks of a run's events, for as long as it does. Whoever finds the note of a
 * program that is dead makes the calls that it owed. So each is made at least once, also if the program is killed
 * between recording something and telling of it.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeFolders } from "../../files/make-folders.js";
import { textIfRegular } from "../../files/read-regular-file.js";
import type { DirectoryRef } from "../../model/events.js";
import { defined, parseJson } from "../../model/json.js";
import { type OwedCall, owedCalls, type Teller, type Told } from "../../runs/owed-calls.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { directoryRef, isOfThisRun } from "../../spawn/directory-ref.js";
import { lifeHere } from "../../spawn/life-here.js";
import type { ProcessRecord } from "../../spawn/liveness.js";
import { refOf } from "../../spawn/process-group-ref.js";

const PREFIX = "telling-";
const MAX_BYTES = 64 * 1024;
/** A program that cannot be seen from here counts as gone after this time. */
const HIDDEN_MS = 10 * 60_000;

interface Note extends ProcessRecord {
  dir?: DirectoryRef;
  at: string;
  /** Its own part, and what it has taken over from others. */
  tellers: Teller[];
}

/** Of this program, which may be one that stays and calls many. */
const atWork = new Set<OpenCalls>();

export class OpenCalls {
  readonly #journal: RunJournal;
  readonly #file: string;
  readonly #since: number;
  #note: Note;

  /** To be made before anything is recorded; `since` is for a run that this very program has made. */
  constructor(journal: RunJournal, tells: Told[], since = journal.summary.head.seq) {
    this.#journal = journal;
    const nonce = crypto.randomBytes(8).toString("hex");
    this.#file = path.join(folderOf(journal), `${PREFIX}${nonce}`);
    const { marker: _, ...own } = refOf(process.pid, nonce);
    const at = new Date().toISOString();
    const dir = directoryRef(journal.runDir);
    this.#note = { ...own, host: os.hostname(), at, tellers: [{ since, tells }], ...defined({ dir }) };
    this.#since = since;
    this.#write();
    // A command that was refused has nothing to tell.
    if (atWork.size === 0) process.once("exit", endWithoutNews);
    atWork.add(this);
  }

  /** Nothing was recorded, so that nobody has to be told. */
  get isWithoutNews(): boolean {
    return this.#journal.summary.head.seq === this.#since;
  }

  /** Takes over from programs that were killed. What they owed is owed by this one until it has ended too. */
  async takeOver(): Promise<OwedCall[]> {
    const gone = this.#abandoned();
    if (gone.length === 0) return [];
    const { tellers: own } = this.#note;
    this.#note = { ...this.#note, tellers: [...own, ...gone.flatMap(({ note }) => note.tellers)] };
    this.#write();
    // Of several that find a note, the one that removes it makes the calls.
    const taken = gone.filter(({ file }) => removed(file)).flatMap(({ note }) => note.tellers);
    this.#note = { ...this.#note, tellers: [...own, ...taken] };
    this.#write();
    const { runId, ports, runDir, summary } = this.#journal;
    if (taken.every(({ since }) => since >= summary.head.seq)) return [];
    return owedCalls({ runDir, summary }, (await ports.store.read(runId, undefined)) ?? [], taken);
  }

  /** All hooks have been called. */
  end(): void {
    removed(this.#file);
    atWork.delete(this);
    if (atWork.size === 0) process.off("exit", endWithoutNews);
  }

  /** Notes of programs that are gone; those whose part is also that of a living one are left to whoever comes after it. */
  #abandoned(): { file: string; note: Note }[] {
    const { runDir } = this.#journal;
    const others = notesIn(folderOf(this.#journal)).filter(({ file, note }) => {
      const isOurs = note !== undefined && isOfThisRun(note, runDir);
      // Of the original of this copy, or damaged.
      if (!isOurs) removed(file);
      return isOurs && file !== this.#file;
    }) as { file: string; note: Note }[];
    const told = (notes: typeof others): Told[] =>
      notes.flatMap(({ note }) => note.tellers).flatMap(({ tells }) => tells);
    const busy = new Set(told(others.filter(({ note }) => !isGone(note))));
    return others.filter((other) => isGone(other.note) && !told([other]).some((one) => busy.has(one)));
  }

  /** Without a place to write to, what is owed is forgotten with this program. */
  #write(): void {
    const temp = `${this.#file}.tmp`;
    try {
      makeFolders(path.dirname(temp), 0o700, 1);
      fs.writeFileSync(temp, JSON.stringify(this.#note), { mode: 0o600 });
      fs.renameSync(temp, this.#file);
    } catch {
      removed(temp);
    }
  }
}

function endWithoutNews(): void {
  for (const calls of atWork) if (calls.isWithoutNews) calls.end();
}

function folderOf({ runDir }: RunJournal): string {
  return path.join(runDir, "state");
}

function isGone(note: Note): boolean {
  const life = lifeHere(note);
  return life === "dead" || (life === "unknown" && !(Math.abs(Date.now() - Date.parse(note.at)) < HIDDEN_MS));
}

function notesIn(dir: string): { file: string; note: Note | undefined }[] {
  try {
    const names = fs.readdirSync(dir).filter((name) => name.startsWith(PREFIX) && !name.endsWith(".tmp"));
    return names.map((name) => ({ file: path.join(dir, name), note: readNote(path.join(dir, name)) }));
  } catch {
    return [];
  }
}

function readNote(file: string): Note | undefined {
  try {
    const note: unknown = parseJson(textIfRegular(file, MAX_BYTES) ?? "null");
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

function isNote(value: unknown): value is Note {
  const { tellers, startTime } = (value ?? {}) as Partial<Note>;
  if (typeof startTime !== "string" || !Array.isArray(tellers)) return false;
  return tellers.every(({ since, tells }) => typeof since === "number" && Array.isArray(tells));
}

function removed(file: string): boolean {
  try {
    fs.unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}
