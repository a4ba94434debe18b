/**
 * Notes about runs in one file beside them, so that a listing of thousands does not open each. A note counts as long
 * as nothing has touched what it was taken from: appending to a journal, or taking something out of it, changes its
 * directory. The file can be deleted at any time; who writes it last wins, for every note is checked by itself, or
 * together with all others (see last-look.ts).
 */
import path from "node:path";
import type { RunId } from "../../model/ids.js";
import type { JsonObject } from "../../model/json.js";
import type { FreshNote, NotedListing, RunListing, RunNotes } from "../../model/store.js";
import { VERSION } from "../../model/version.js";
import { sha256 } from "../rules/chain.js";
import { type Change, DIR_MODE } from "./journal-fs.js";
import { askForLook, isSettled, LastLook, replaceView, textOf } from "./last-look.js";
import { JOURNAL, notesDirOf, SUMMARY } from "./layout.js";
import type { RunDirectories } from "./run-directories.js";

/** Opening so few runs again costs less than writing the file. */
const WORTH_WRITING = 32;
/** Files of versions that are no longer in use, and what crashes left behind. */
const OLD_MS = 7 * 24 * 3_600_000;
/** Behind the name of a run that is over. */
const OVER = "\tover\t";

/** What a note was taken from: the journal, and the caches of the run unless the note says nothing that they say. */
interface Stamp {
  journal: Change;
  caches: Change | undefined;
  /** The directory of the run is elsewhere: the folder of runs does not show that it is replaced. */
  isLinked: boolean;
}

/** What is noted, each text once: of thousands of runs most have the same to say, except for their times. */
class NoteTexts {
  readonly #texts: readonly string[];
  readonly #notes: (JsonObject | undefined)[] = [];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  textAt(index: number): string {
    return this.#texts[index] as string;
  }

  noteAt(index: number): JsonObject {
    this.#notes[index] ??= JSON.parse(this.textAt(index)) as JsonObject;
    return this.#notes[index];
  }
}

/**
 * A line of the notes: the run, whether it is over, the stamps of its journal and of its caches, the times of its last
 * event, its beginning and its end, and which text is its note, with tabs between them. Of thousands of runs most are
 * only recognised by the beginning of their line, so nothing is cut out of the lines before someone asks for it.
 */
class NotedRow implements NotedListing {
  readonly foreign = false;
  readonly runId: RunId;
  readonly over: boolean;
  readonly end: number;
  readonly #lines: string;
  readonly #start: number;
  readonly #texts: NoteTexts;

  constructor(lines: string, start: number, texts: NoteTexts) {
    this.#lines = lines;
    this.#start = lines.indexOf("\t", start);
    this.end = lines.indexOf("\n", start);
    this.#texts = texts;
    this.runId = lines.slice(start, this.#start) as RunId;
    this.over = lines.startsWith(OVER, this.#start);
  }

  static of(runId: RunId, { journal, caches, isLinked }: Stamp, fresh: FreshNote): NotedRow {
    const { note, at, createdAt, endedAt = "", over } = fresh;
    const stamps = [textOf(journal), caches === undefined ? "" : textOf(caches)];
    const fields = [runId, over && !isLinked ? "over" : "", ...stamps, at, createdAt, endedAt, 0];
    return new NotedRow(`${fields.join("\t")}\n`, 0, new NoteTexts([JSON.stringify(note)]));
  }

  get journal(): string {
    return this.#field(1);
  }

  /** Empty when it does not matter what is there. */
  get caches(): string {
    return this.#field(2);
  }

  get at(): string {
    return this.#field(3);
  }

  get createdAt(): string {
    return this.#field(4);
  }

  get endedAt(): string | undefined {
    return this.#field(5) || undefined;
  }

  get note(): JsonObject {
    return this.#texts.noteAt(this.#noteIndex);
  }

  get text(): string {
    return this.#texts.textAt(this.#noteIndex);
  }

  /** The same line where the text has another place. */
  lineWith(noteIndex: number): string {
    return `${this.#lines.slice(this.#start - this.runId.length, this.#startOf(6))}${noteIndex}\n`;
  }

  get #noteIndex(): number {
    return Number(this.#lines.slice(this.#startOf(6), this.end));
  }

  /** Counted from the one that says whether it is over. */
  #field(index: number): string {
    const start = this.#startOf(index);
    return this.#lines.slice(start, this.#lines.indexOf("\t", start));
  }

  #startOf(index: number): number {
    let start = this.#start + 1;
    for (let field = 0; field < index; field += 1) start = this.#lines.indexOf("\t", start) + 1;
    return start;
  }
}

/** What has become of the notes that were read. */
interface Sifted {
  /** Those that count. */
  rows: NotedRow[];
  /** Of runs that have changed since. */
  refuted: NotedRow[];
  /** Of runs that are no longer there. */
  gone: NotedRow[];
  /** Names that nothing was noted about. */
  others: string[];
}

/** What the last listing has found. */
interface Found extends Sifted {
  look: LastLook;
  /** Nobody has to look at all runs again. */
  isKnown: boolean;
  /** Of the notes that were read; empty when there are none. */
  checksum: string;
  /** By run, what can be vouched for if a note is taken from now on. */
  stamps: Map<string, Stamp>;
}

export class FileRunNotes implements RunNotes {
  readonly #runs: RunDirectories;
  readonly #now: () => number;
  #found: Found | undefined;

  constructor(runs: RunDirectories, now: () => number = Date.now) {
    this.#runs = runs;
    this.#now = now;
  }

  async list(): Promise<NotedListing[]> {
    const now = this.#now();
    const look = new LastLook(this.#runs.files, this.#places, now);
    const { checksum, rows: read } = this.#read();
    const others = look.othersThan(checksum);
    const sifted = this.#sift(read, others);
    const stamps = new Map<string, Stamp>();
    this.#found = { ...sifted, look, isKnown: others !== undefined, checksum, stamps };
    const rest = namesIn(sifted).flatMap((name): NotedListing[] => this.#lookAt(name as RunId, stamps, now));
    const over = sifted.rows.filter((row) => row.over);
    const open = sifted.rows.filter((row) => !row.over);
    return [...over, ...[...rest, ...open].toSorted((a, b) => (a.runId < b.runId ? -1 : 1))];
  }

  async keep(notes: ReadonlyMap<RunId, FreshNote>): Promise<void> {
    if (this.#found === undefined) return;
    const { look, isKnown, checksum, rows, refuted, gone, others, stamps } = this.#found;
    const fresh: NotedRow[] = [];
    for (const [runId, note] of notes) {
      const stamp = stamps.get(runId);
      if (stamp === undefined || (note.fromCaches && stamp.caches === undefined)) continue;
      fresh.push(NotedRow.of(runId, { ...stamp, caches: note.fromCaches ? stamp.caches : undefined }, note));
    }
    // Whoever believes what is noted of runs that are over must not find what is no longer so.
    const isMisleading = [...refuted, ...gone].some(({ over }) => over);
    try {
      if (fresh.length >= WORTH_WRITING || isMisleading) {
        const written = new Set<string>(fresh.map(({ runId }) => runId));
        const left = namesIn(this.#found).filter((name) => !written.has(name));
        look.note(this.#write([...rows, ...fresh]), left);
      } else if (!isKnown && checksum !== "") look.note(checksum, others);
    } catch {
      // Without notes a listing takes longer: on a disk that is full or read-only it still answers.
    }
  }

  async lookAgain(): Promise<void> {
    askForLook(this.#runs.files, this.#places.dir);
  }

  /** `others`: names that nothing was noted about, where the notes can be believed of runs that are over. */
  #sift(read: readonly NotedRow[], others: string[] | undefined): Sifted {
    const names = others === undefined ? new Set<string>(this.#runs.names()) : undefined;
    const sifted: Sifted = { rows: [], refuted: [], gone: [], others: others ?? [] };
    for (const row of read) {
      // With thousands of runs, a look at each would take most of the time.
      const isBelieved = names === undefined && row.over;
      if (names?.delete(row.runId) === false) sifted.gone.push(row);
      else if (isBelieved || this.#counts(row)) sifted.rows.push(row);
      else sifted.refuted.push(row);
    }
    if (names !== undefined) sifted.others = [...names];
    return sifted;
  }

  #counts({ runId, journal, caches }: NotedRow): boolean {
    const { fs } = this.#runs.files;
    // Making all paths of each run would take long.
    const dir = `${this.#runs.folder}/${runId}/`;
    return isSame(journal, fs.changeOf(dir + JOURNAL)) && (caches === "" || isSame(caches, fs.changeOf(dir + SUMMARY)));
  }

  /** None for something else than a run. */
  #lookAt(runId: RunId, stamps: Map<string, Stamp>, now: number): RunListing[] {
    const { fs } = this.#runs.files;
    const dir = this.#runs.dirOf(runId);
    const [journal, caches] = [fs.changeOf(`${dir}/${JOURNAL}`), fs.changeOf(`${dir}/${SUMMARY}`)];
    const listing = this.#runs.listingOf(runId);
    if (listing === undefined) return [];
    if (journal !== undefined && isSettled(journal, now) && isSettled(caches, now))
      stamps.set(runId, { journal, caches, isLinked: fs.kindOf(dir) === "link" });
    return [listing];
  }

  /** Versions differ in what they note. */
  get #places(): { runs: string; dir: string; notes: string; look: string } {
    const dir = notesDirOf(this.#runs.folder);
    const own = path.join(dir, `runs-${VERSION}`);
    return { runs: this.#runs.folder, dir, notes: `${own}.notes`, look: `${own}.look` };
  }

  /** Nothing from a file that is torn or was edited: its first line is the checksum of the others. */
  #read(): { checksum: string; rows: NotedRow[] } {
    const rows: NotedRow[] = [];
    try {
      const text = this.#runs.files.textOf(this.#places.notes) ?? "";
      const end = text.indexOf("\n");
      const [checksum, content] = [text.slice(0, end), text.slice(end + 1)];
      const [lines = "", texts = ""] = content.split("\n\n");
      if (checksum !== sha256(content)) return { checksum: "", rows };
      const notes = new NoteTexts(texts.split("\n"));
      const all = `${lines}\n`;
      for (let start = 0; start < all.length; start = (rows.at(-1) as NotedRow).end + 1)
        rows.push(new NotedRow(all, start, notes));
      return { checksum, rows };
    } catch {
      return { checksum: "", rows };
    }
  }

  /** The newest first, as most lists show them; answers their checksum. */
  #write(rows: NotedRow[]): string {
    const { files } = this.#runs;
    const { dir, notes } = this.#places;
    if (!files.fs.existsSync(dir)) {
      files.fs.mkdirSync(dir, { recursive: false, mode: DIR_MODE });
      files.writeView(path.join(dir, ".gitignore"), "*\n");
    }
    const sorted = rows
      .map((row) => ({ row, at: row.at }))
      .toSorted((a, b) => (a.at === b.at ? (a.row.runId < b.row.runId ? -1 : 1) : a.at > b.at ? -1 : 1));
    const texts = new Map<string, number>();
    const lines = sorted.map(({ row }) => {
      const index = texts.get(row.text) ?? texts.size;
      texts.set(row.text, index);
      return row.lineWith(index);
    });
    const content = `${lines.join("")}\n${[...texts.keys()].join("\n")}\n`;
    const checksum = sha256(content);
    replaceView(files, notes, `${checksum}\n${content}`);
    this.#discardOld(dir);
    return checksum;
  }

  #discardOld(dir: string): void {
    const { files } = this.#runs;
    for (const name of files.fs.readdirSync(dir)) {
      const file = path.join(dir, name);
      const change = name.startsWith(".") ? undefined : files.fs.changeOf(file);
      if (change !== undefined && change.ctimeMs < this.#now() - OLD_MS) files.discard(file);
    }
  }
}

/** Of runs that have to be looked at. */
function namesIn({ refuted, others }: Sifted): string[] {
  return [...refuted.map(({ runId }) => runId), ...others];
}

function isSame(noted: string, change: Change | undefined): boolean {
  return change !== undefined && noted === textOf(change);
}
