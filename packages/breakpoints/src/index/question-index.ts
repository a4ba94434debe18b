/**
 * What lists show, without opening any journal: a row for each question of all projects, and for each run a stamp by
 * which a change is noticed. The journals are the truth: the file may be deleted, damaged or replaced at any time.
 */
import { createHash } from "node:crypto";
import { type Cursor, cursorText, type QuestionQuery, searchable } from "../rules/question-query.js";
import type { QuestionRow, RunProblem } from "../wire/inbox-wire.js";
import type { TroubleRow } from "../wire/notify-wire.js";
import {
  inodeOf,
  isDamage,
  type OpenDatabase,
  type OpenIndex,
  openAnew,
  openDatabase,
  openInMemory,
} from "./open-database.js";

/** What is known of a run without opening it. */
export interface KnownRun {
  stamp: string;
  unfinished: boolean;
  /** When it was read. */
  at: number;
  problem: string | undefined;
}

/** What one reading of a run has found. `effect` is the question's id in its run. */
export interface RunReading {
  stamp: string;
  unfinished: boolean;
  problem?: string;
  /** Why it does not go on before a person does something. */
  trouble?: Omit<TroubleRow, "subject"> | undefined;
  questions: { effect: string; endedAt: string; row: Omit<QuestionRow, "id"> }[];
}

/** Where a run is: the folder that it lies in, and its name. */
export interface RunKey {
  place: string;
  run: string;
}

export interface RowChange {
  changed: QuestionRow[];
  gone: string[];
}

export interface ListedRows {
  questions: QuestionRow[];
  next: string | null;
  open: number;
  total: number;
}

/** Whoever searches does not mean the end of a book. */
const MAX_SEARCHED = 4_096;
const MAX_PROBLEMS = 100;

export class QuestionIndex {
  readonly #file: string;
  readonly #isOwnPlace: boolean;
  readonly #onLoss: (why: string) => void;
  #open: OpenIndex;

  /** `onLoss` is told when everything has to be read again. */
  constructor(file: string, { isOwnPlace, onLoss }: { isOwnPlace: boolean; onLoss: (why: string) => void }) {
    this.#file = file;
    this.#isOwnPlace = isOwnPlace;
    this.#onLoss = onLoss;
    this.#open = openDatabase(file, { isOwnPlace });
  }

  runsIn(place: string): Map<string, KnownRun> {
    const rows = this.#use((database) =>
      database.prepare("SELECT run, stamp, unfinished, at, problem FROM runs WHERE place = ?").raw().all(place),
    ) as [string, string, number, number, string | null][];
    return new Map(
      rows.map(([run, stamp, unfinished, at, problem]) => [
        run,
        { stamp, unfinished: unfinished === 1, at, problem: problem ?? undefined },
      ]),
    );
  }

  /** The run was looked at, and nothing is new; false when the index does not know it. */
  renewStamp({ place, run }: RunKey, stamp: string): boolean {
    const { changes } = this.#use((database) =>
      database
        .prepare("UPDATE runs SET stamp = ?, at = ? WHERE place = ? AND run = ?")
        .run(stamp, Date.now(), place, run),
    );
    return changes > 0;
  }

  places(): string[] {
    return this.#texts("SELECT DISTINCT place FROM runs");
  }

  /** Puts what was read in the place of what was known; answers what is different now. */
  replaceRun(key: RunKey, reading: RunReading): RowChange {
    const { place, run } = key;
    return this.#transaction((database) => {
      const before = rowsOf(database, key);
      const after = new Map<string, QuestionRow>();
      database.prepare("DELETE FROM questions WHERE place = ? AND run = ?").run(place, run);
      const insert = database.prepare("INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
      for (const { effect, endedAt, row } of reading.questions) {
        const question = { id: freeId(database, effect, key), ...row };
        const [group, time] = orderOf(question, endedAt);
        const isDecided = question.state === "open" ? 0 : 1;
        insert.run(
          question.id,
          place,
          run,
          effect,
          isDecided,
          group,
          time,
          JSON.stringify(question),
          wordsOf(question),
        );
        after.set(question.id, question);
      }
      replaceTrouble(database, key, reading.trouble);
      database
        .prepare("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?)")
        .run(place, run, reading.stamp, reading.unfinished ? 1 : 0, Date.now(), reading.problem ?? null);
      return {
        changed: [...after.values()].filter((row) => before.get(row.id) !== JSON.stringify(row)),
        gone: [...before.keys()].filter((id) => !after.has(id)),
      };
    });
  }

  /** Answers the ids that are gone. */
  removeRun(key: RunKey): string[] {
    return this.#transaction((database) => {
      const gone = [...rowsOf(database, key).keys()];
      for (const table of TABLES)
        database.prepare(`DELETE FROM ${table} WHERE place = ? AND run = ?`).run(key.place, key.run);
      return gone;
    });
  }

  removePlace(place: string): string[] {
    return this.#transaction((database) => {
      const gone = textsOf(database, "SELECT id FROM questions WHERE place = ?", place);
      for (const table of TABLES) database.prepare(`DELETE FROM ${table} WHERE place = ?`).run(place);
      return gone;
    });
  }

  list({ state, words, after, limit }: QuestionQuery): ListedRows {
    const found = words.map(() => "AND instr(words, ?) > 0").join(" ");
    const where = `decided = ? ${found}`;
    const terms = [state === "decided" ? 1 : 0, ...words];
    const [group, time, id] = after ?? [Number.MIN_SAFE_INTEGER, 0, ""];
    return this.#use((database) => {
      const rows = database
        .prepare(
          `SELECT row, grp, time, id FROM questions WHERE ${where} AND (grp, time, id) > (?, ?, ?) ORDER BY grp, time, id LIMIT ?`,
        )
        .raw()
        .all(...terms, group, time, id, limit + 1) as [string, ...Cursor][];
      const shown = rows.slice(0, limit);
      const [, ...last] = shown.at(-1) ?? ["", 0, 0, ""];
      return {
        questions: shown.map(([row]) => rowIn(row)),
        next: rows.length > limit ? cursorText(last) : null,
        open: countOf(database, "decided = 0", []),
        total: countOf(database, where, terms),
      };
    });
  }

  openCount(): number {
    return this.#use((database) => countOf(database, "decided = 0", []));
  }

  row(id: string): QuestionRow | undefined {
    return this.#use((database) => {
      const [text] = textsOf(database, "SELECT row FROM questions WHERE id = ?", id);
      return text === undefined ? undefined : rowIn(text);
    });
  }

  /** Where a question is. */
  find(id: string): (RunKey & { effect: string }) | undefined {
    const [found] = this.#use((database) =>
      database.prepare("SELECT place, run, effect FROM questions WHERE id = ?").raw().all(id),
    ) as [string, string, string][];
    return found === undefined ? undefined : { place: found[0], run: found[1], effect: found[2] };
  }

  /** Where a run is. A copy of it in another place has the same name, and goes by its place as well. */
  findRun(id: string): RunKey | undefined {
    const [name = "", hash] = /^(.*?)(?:\.([0-9a-f]{8}))?$/u.exec(id)?.slice(1) ?? [];
    const found = [id, name].flatMap((run) => this.#placesOf(run));
    return hash === undefined || found.some(({ run }) => run === id)
      ? found.find(({ run }) => run === id)
      : found.find((key) => placeHash(key) === hash);
  }

  #placesOf(run: string): RunKey[] {
    const places = this.#texts("SELECT place FROM runs WHERE run = ? ORDER BY place", run);
    return places.map((place) => ({ place, run }));
  }

  /** Runs that need a person, those first that have done so for the shortest time. */
  troubles(limit: number): TroubleRow[] {
    return this.#texts("SELECT row FROM troubles ORDER BY time DESC, subject LIMIT ?", limit).map(troubleIn);
  }

  /** True when a run of this name can be read, and needs no person for what the subject is about. */
  isOvercome(subject: string): boolean {
    const name = runNamed(subject);
    return this.#use(
      (database) =>
        textsOf(database, "SELECT run FROM runs WHERE run = ? AND problem IS NULL LIMIT 1", name).length > 0 &&
        textsOf(database, "SELECT subject FROM troubles WHERE subject = ?", subject).length === 0,
    );
  }

  /** Runs that cannot be read; `project` is the folder of their runs here. */
  problems(): RunProblem[] {
    const rows = this.#use((database) =>
      database
        .prepare("SELECT run, place, problem FROM runs WHERE problem IS NOT NULL ORDER BY place, run LIMIT ?")
        .raw()
        .all(MAX_PROBLEMS),
    ) as [string, string, string][];
    return rows.map(([run, project, problem]) => ({ run, project, problem }));
  }

  close(): void {
    this.#open.database.close();
  }

  #texts(query: string, ...terms: unknown[]): string[] {
    return this.#use((database) => textsOf(database, query, ...terms));
  }

  #transaction<T>(change: (database: OpenDatabase) => T): T {
    return this.#use((database) => {
      database.exec("BEGIN IMMEDIATE");
      try {
        const answer = change(database);
        database.exec("COMMIT");
        return answer;
      } catch (error) {
        if (database.inTransaction) database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  /** Once more with a new file when this one turns out to be gone or damaged. */
  #use<T>(work: (database: OpenDatabase) => T): T {
    const { inode } = this.#open;
    if (inode !== undefined && inodeOf(this.#file) !== inode) this.#startAnew("its file is gone");
    try {
      return work(this.#open.database);
    } catch (error) {
      if (!isDamage(error) && !isFull(error)) throw error;
      this.#startAnew(String(error), isFull(error) ? "memory" : "new file");
      return work(this.#open.database);
    }
  }

  #startAnew(why: string, where: "file" | "new file" | "memory" = "file"): void {
    try {
      this.#open.database.close();
    } catch {
      // It is given up in any case.
    }
    try {
      if (where === "memory") this.#open = openInMemory();
      // A file that can be opened, and not used, would be as bad the next time.
      else if (where === "new file") this.#open = openAnew(this.#file);
      else this.#open = openDatabase(this.#file, { isOwnPlace: this.#isOwnPlace });
    } catch {
      this.#open = openInMemory();
    }
    this.#onLoss(why);
  }
}

const TABLES: readonly string[] = ["questions", "troubles", "runs"];

/** A copy of a run is in the same trouble, under another name. */
function replaceTrouble(database: OpenDatabase, key: RunKey, trouble: RunReading["trouble"]): void {
  const { place, run } = key;
  database.prepare("DELETE FROM troubles WHERE place = ? AND run = ?").run(place, run);
  if (trouble === undefined) return;
  const time = timeOf(trouble.at);
  const usual = `run:${run}@${time}`;
  const isTaken = textsOf(database, "SELECT subject FROM troubles WHERE subject = ?", usual).length > 0;
  const subject = isTaken ? `run:${run}.${placeHash(key)}@${time}` : usual;
  const row: TroubleRow = { subject, ...trouble };
  database.prepare("INSERT INTO troubles VALUES (?, ?, ?, ?, ?)").run(subject, place, run, time, JSON.stringify(row));
}

/** The name of the run that a subject is about. */
function runNamed(subject: string): string {
  return subject.replace(/^run:/u, "").replace(/(?:\.[0-9a-f]{8})?@\d+$/u, "");
}

function troubleIn(text: string): TroubleRow {
  const row = JSON.parse(text) as Partial<TroubleRow> | null;
  if (typeof row?.subject !== "string") throw new SyntaxError("It is no row of a run.");
  return row as TroubleRow;
}

/** Somebody else may have written to the file. */
function rowIn(text: string): QuestionRow {
  const row = JSON.parse(text) as Partial<QuestionRow> | null;
  if (typeof row?.id !== "string") throw new SyntaxError("It is no row of a question.");
  return row as QuestionRow;
}

function rowsOf(database: OpenDatabase, { place, run }: RunKey): Map<string, string> {
  return new Map(
    database.prepare("SELECT id, row FROM questions WHERE place = ? AND run = ?").raw().all(place, run) as [
      string,
      string,
    ][],
  );
}

function textsOf(database: OpenDatabase, query: string, ...terms: unknown[]): string[] {
  return (
    database
      .prepare(query)
      .raw()
      .all(...terms) as [string][]
  ).map(([text]) => text);
}

function countOf(database: OpenDatabase, where: string, terms: unknown[]): number {
  const [[count] = [0]] = database
    .prepare(`SELECT count(*) FROM questions WHERE ${where}`)
    .raw()
    .all(...terms) as [number][];
  return count;
}

/** A copy of a run has questions of the same name. */
function freeId(database: OpenDatabase, effect: string, { place, run }: RunKey): string {
  const isTaken = textsOf(database, "SELECT id FROM questions WHERE id = ?", effect).length > 0;
  return isTaken ? `${effect}.${placeHash({ place, run })}` : effect;
}

function placeHash({ place, run }: RunKey): string {
  return createHash("sha256").update(`${place}\0${run}`).digest("hex").slice(0, 8);
}

function orderOf({ state, stops, askedAt }: QuestionRow, endedAt: string): [number, number] {
  return state === "open" ? [stops === "run" ? 0 : 1, timeOf(askedAt)] : [0, -timeOf(endedAt)];
}

function timeOf(at: string): number {
  return Date.parse(at) || 0;
}

function wordsOf({ question, title, reason, project, run, by, id, option, risk }: QuestionRow): string {
  const texts = [title, question, reason, project.name, project.root, run.id, run.process, by, id, option, risk];
  return searchable(texts.map((text) => (text ?? "").slice(0, MAX_SEARCHED)).join("\n"));
}

function isFull(error: unknown): boolean {
  const { code = "" } = error as { code?: unknown } as { code?: string };
  return typeof code === "string" && /^SQLITE_(?:FULL|READONLY|CANTOPEN)/u.test(code);
}
