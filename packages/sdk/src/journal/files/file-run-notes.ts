/**
 * Notes about runs in one file beside them, so that a listing of thousands does not open each. A note counts as long
 * as nothing has touched what it was taken from: appending to a journal, or taking something out of it, changes its
 * directory. The file can be deleted at any time; who writes it last wins, for every note is checked by itself.
 */
import path from "node:path";
import type { RunId } from "../../model/ids.js";
import type { JsonObject } from "../../model/json.js";
import type { FreshNote, NotedListing, RunNotes } from "../../model/store.js";
import { VERSION } from "../../model/version.js";
import { sha256 } from "../rules/chain.js";
import { tempName } from "./event-log.js";
import { type Change, DIR_MODE } from "./journal-fs.js";
import { JOURNAL, SUMMARY } from "./layout.js";
import type { RunDirectories } from "./run-directories.js";

/** Its name starts with a dot: no run's does. */
const FOLDER = ".index";
/** Opening so few runs again costs less than writing the file. */
const WORTH_WRITING = 32;
/** File systems may give two changes the same time when they are closer than this. */
const CLOSE_MS = 3_000;
/** Files of versions that are no longer in use, and what crashes left behind. */
const OLD_MS = 7 * 24 * 3_600_000;

/** What a note was taken from: the journal, and the caches of the run unless the note says nothing that they say. */
interface Stamp {
  journal: Change;
  caches: Change | undefined;
}

/**
 * A line of the file: the run, the stamp of its journal, whether it is over, the stamp of its caches, the time of the last
 * event, and the note as JSON, with tabs between them. Of thousands of runs most are only recognised by the beginning of
 * their line.
 */
class NotedRow implements NotedListing {
  readonly foreign = false;
  readonly runId: RunId;
  readonly over: boolean;
  readonly line: string;
  /** Of the caches; empty when it does not matter what is there. */
  readonly caches: string;
  readonly #atStart: number;

  /** `beginning`: of the line, with the run and the stamp of its journal. */
  constructor(runId: RunId, line: string, beginning: string) {
    this.runId = runId;
    this.line = line;
    const end = line.indexOf("\t", beginning.length);
    this.over = end > beginning.length;
    const cachesEnd = line.indexOf("\t", end + 1);
    this.caches = line.slice(end + 1, cachesEnd);
    this.#atStart = cachesEnd + 1;
  }

  static of(runId: RunId, { journal, caches }: Stamp, { note, at, over }: FreshNote): NotedRow {
    const beginning = beginningOf(runId, journal);
    const rest = [over ? "over" : "", caches === undefined ? "" : textOf(caches), at, JSON.stringify(note)];
    return new NotedRow(runId, beginning + rest.join("\t"), beginning);
  }

  get at(): string {
    return this.line.slice(this.#atStart, this.#atEnd);
  }

  get note(): JsonObject {
    return JSON.parse(this.line.slice(this.#atEnd + 1)) as JsonObject;
  }

  get #atEnd(): number {
    return this.line.indexOf("\t", this.#atStart);
  }
}

export class FileRunNotes implements RunNotes {
  readonly #runs: RunDirectories;
  readonly #now: () => number;
  /** By run, those that still counted at the last listing. */
  readonly #rows = new Map<string, NotedRow>();
  /** By run, what can be vouched for if a note is taken after the last listing. */
  readonly #stamps = new Map<string, Stamp>();

  constructor(runs: RunDirectories, now: () => number = Date.now) {
    this.#runs = runs;
    this.#now = now;
  }

  async list(): Promise<NotedListing[]> {
    const rowOf = this.#read();
    this.#rows.clear();
    this.#stamps.clear();
    const now = this.#now();
    const { fs } = this.#runs.files;
    const listings: NotedListing[] = [];
    for (const runId of this.#runs.names()) {
      // With thousands of runs, making all paths of each would take most of the time.
      const summary = `${this.#runs.folder}/${runId}/${SUMMARY}`;
      const change = fs.changeOf(`${this.#runs.folder}/${runId}/${JOURNAL}`);
      const row = change === undefined ? undefined : rowOf(runId, change);
      if (row !== undefined && (row.caches === "" || isSame(row.caches, fs.changeOf(summary)))) {
        this.#rows.set(runId, row);
        listings.push(row);
        continue;
      }
      const caches = fs.changeOf(summary);
      const listing = this.#runs.listingOf(runId);
      if (listing === undefined) continue;
      listings.push(listing);
      if (change !== undefined && isSettled(change, now) && isSettled(caches, now))
        this.#stamps.set(runId, { journal: change, caches });
    }
    return listings;
  }

  async keep(notes: ReadonlyMap<RunId, FreshNote>): Promise<void> {
    let changes = 0;
    for (const [runId, fresh] of notes) {
      const stamp = this.#stamps.get(runId);
      if (stamp === undefined || (fresh.fromCaches && stamp.caches === undefined)) continue;
      const caches = fresh.fromCaches ? stamp.caches : undefined;
      this.#rows.set(runId, NotedRow.of(runId, { ...stamp, caches }, fresh));
      changes += 1;
    }
    if (changes >= WORTH_WRITING) this.#write();
  }

  get #dir(): string {
    return path.join(this.#runs.folder, FOLDER);
  }

  /** Versions differ in what they note. */
  get #file(): string {
    return path.join(this.#dir, `runs-${VERSION}.notes`);
  }

  /** Finds the rows of runs whose journal was not touched; they are asked for in the order of their names. */
  #read(): (runId: RunId, journal: Change) => NotedRow | undefined {
    const lines = this.#lines();
    let start = 0;
    return (runId, journal) => {
      const beginning = beginningOf(runId, journal);
      const isNext = (): boolean => lines.startsWith(beginning, start);
      while (!isNext() && start < lines.length && lines.slice(start, lines.indexOf("\t", start)) < runId)
        start = lines.indexOf("\n", start) + 1;
      if (!isNext()) return undefined;
      const end = lines.indexOf("\n", start);
      const row = new NotedRow(runId, lines.slice(start, end), beginning);
      start = end + 1;
      return row;
    };
  }

  /** None of a file that is torn or was edited: its first line is the checksum of the others. */
  #lines(): string {
    try {
      const found = this.#runs.files.textOf(this.#file) ?? "";
      const end = found.indexOf("\n");
      const lines = found.slice(end + 1);
      return found.slice(0, end) === sha256(lines) && lines.endsWith("\n") ? lines : "";
    } catch {
      return "";
    }
  }

  #write(): void {
    const { files } = this.#runs;
    const temp = path.join(this.#dir, tempName("index"));
    try {
      if (!files.fs.existsSync(this.#dir)) {
        files.fs.mkdirSync(this.#dir, { recursive: false, mode: DIR_MODE });
        files.writeView(path.join(this.#dir, ".gitignore"), "*\n");
      }
      const rows = [...this.#rows.values()].toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
      const lines = rows.map(({ line }) => `${line}\n`).join("");
      files.writeView(temp, `${sha256(lines)}\n${lines}`);
      files.fs.renameSync(temp, this.#file);
      this.#discardOld();
    } catch {
      // Without notes a listing takes longer: on a disk that is full or read-only it still answers.
      files.discard(temp);
    }
  }

  #discardOld(): void {
    const { files } = this.#runs;
    for (const name of files.fs.readdirSync(this.#dir)) {
      const file = path.join(this.#dir, name);
      const change = name.startsWith(".") ? undefined : files.fs.changeOf(file);
      if (change !== undefined && change.ctimeMs < this.#now() - OLD_MS) files.discard(file);
    }
  }
}

function isSame(noted: string, change: Change | undefined): boolean {
  return change !== undefined && noted === textOf(change);
}

function beginningOf(runId: RunId, journal: Change): string {
  return `${runId}\t${textOf(journal)}\t`;
}

/** A change that comes later is certain to be seen. A time that has not come yet says nothing: a clock was put back. */
function isSettled(change: Change | undefined, now: number): boolean {
  return change === undefined || change.ctimeMs + CLOSE_MS < now;
}

function textOf({ ino, ctimeMs }: Change): string {
  return `${ino} ${ctimeMs}`;
}
