/**
 * What lists show, without opening any journal: a row for each question of all projects, and for each run a stamp by
 * which a change is noticed. The journals are the truth: the file may be deleted, damaged or replaced at any time.
 */

import { cursorText, searchable } from "../rules/query-parts.js";
import { type QuestionCursor, type QuestionQuery } from "../rules/question-query.js";
import type { RunQuery } from "../rules/run-query.js";
import type { QuestionRow, RunProblem } from "../wire/inbox-wire.js";
import type { TroubleRow } from "../wire/notify-wire.js";
import type { RunList } from "../wire/run-wire.js";
import { IndexFile, prepared, textsOf } from "./index-file.js";
import type { OpenDatabase } from "./open-database.js";
import {
  type CardChange,
  findCard,
  type KnownCard,
  knownCards,
  listCards,
  noteGone,
  putCard,
  type RunCard,
  removeCards,
} from "./run-cards.js";
import { placeHash, type RunKey } from "./run-key.js";

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
  /** Of a run that can be read. */
  card?: RunCard;
}

/** What is different in lists after a reading. */
export interface RowChange {
  changed: QuestionRow[];
  gone: string[];
  runs: CardChange;
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
  readonly #file: IndexFile;

  /** `onLoss` is told when everything has to be read again. */
  constructor(file: string, options: { isOwnPlace: boolean; onLoss: (why: string) => void }) {
    this.#file = new IndexFile(file, options);
  }

  runsIn(place: string): Map<string, KnownRun> {
    const rows = this.#use((database) =>
      prepared(database, "SELECT run, stamp, unfinished, at, problem FROM runs WHERE place = ?").raw().all(place),
    ) as [string, string, number, number, string | null][];
    return new Map(
      rows.map(([run, stamp, unfinished, at, problem]) => [
        run,
        { stamp, unfinished: unfinished === 1, at, problem: problem ?? undefined },
      ]),
    );
  }

  /** The run was looked at, and its questions are as before; undefined when the index does not know it. */
  followRun(key: RunKey, { stamp, card }: { stamp: string; card: RunCard }): CardChange | undefined {
    return this.#transaction((database) => {
      const { changes } = prepared(database, "UPDATE runs SET stamp = ?, at = ? WHERE place = ? AND run = ?").run(
        stamp,
        Date.now(),
        key.place,
        key.run,
      );
      return changes > 0 ? putCard(database, key, card) : undefined;
    });
  }

  places(): string[] {
    return this.#texts("SELECT DISTINCT place FROM runs");
  }

  /** Puts what was read in the place of what was known; answers what is different now. */
  replaceRun(key: RunKey, reading: RunReading): RowChange {
    const { place, run } = key;
    return this.#transaction((database) => {
      const before = rowsOf(database, key);
      // No run of ours any longer.
      if (reading.card === undefined && reading.problem === undefined) noteGone(database, key);
      const after = new Map<string, QuestionRow>();
      prepared(database, "DELETE FROM questions WHERE place = ? AND run = ?").run(place, run);
      const insert = prepared(database, "INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
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
      prepared(database, "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?)").run(
        place,
        run,
        reading.stamp,
        reading.unfinished ? 1 : 0,
        Date.now(),
        reading.problem ?? null,
      );
      return {
        changed: [...after.values()].filter((row) => before.get(row.id) !== JSON.stringify(row)),
        gone: [...before.keys()].filter((id) => !after.has(id)),
        runs: putCard(database, key, reading.card),
      };
    });
  }

  removeRun(key: RunKey): RowChange {
    const { place, run } = key;
    return this.#transaction((database) => {
      noteGone(database, key);
      return removeAll(database, "place = ? AND run = ?", place, run);
    });
  }

  removePlace(place: string): RowChange {
    return this.#transaction((database) => removeAll(database, "place = ?", place));
  }

  /** The board. */
  listRuns(query: RunQuery): Omit<RunList, "unreadable"> {
    return this.#use((database) => listCards(database, query, Date.now()));
  }

  /** How runs that are not done stood when they were read. */
  cardsIn(place: string): Map<string, KnownCard> {
    return this.#use((database) => knownCards(database, place));
  }

  /** Where a run was that is no longer there. */
  goneRun(run: string): RunKey | undefined {
    const [place] = this.#texts("SELECT place FROM gone WHERE run = ? ORDER BY at DESC LIMIT 1", run);
    return place === undefined ? undefined : { place, run };
  }

  list({ state, words, after, limit }: QuestionQuery): ListedRows {
    const found = words.map(() => "AND instr(words, ?) > 0").join(" ");
    const where = `decided = ? ${found}`;
    const terms = [state === "decided" ? 1 : 0, ...words];
    const [group, time, id] = after ?? [Number.MIN_SAFE_INTEGER, 0, ""];
    return this.#use((database) => {
      const rows = prepared(
        database,
        `SELECT row, grp, time, id FROM questions WHERE ${where} AND (grp, time, id) > (?, ?, ?) ORDER BY grp, time, id LIMIT ?`,
      )
        .raw()
        .all(...terms, group, time, id, limit + 1) as [string, ...QuestionCursor][];
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
      prepared(database, "SELECT place, run, effect FROM questions WHERE id = ?").raw().all(id),
    ) as [string, string, string][];
    return found === undefined ? undefined : { place: found[0], run: found[1], effect: found[2] };
  }

  /** Where a run is. A copy of it in another place has the same name, and goes by its place as well. */
  findRun(id: string): RunKey | undefined {
    const card = this.#use((database) => findCard(database, id));
    if (card !== undefined) return card;
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
      prepared(database, "SELECT run, place, problem FROM runs WHERE problem IS NOT NULL ORDER BY place, run LIMIT ?")
        .raw()
        .all(MAX_PROBLEMS),
    ) as [string, string, string][];
    return rows.map(([run, project, problem]) => ({ run, project, problem }));
  }

  close(): void {
    this.#file.close();
  }

  #texts(query: string, ...terms: unknown[]): string[] {
    return this.#file.texts(query, ...terms);
  }

  #transaction<T>(change: (database: OpenDatabase) => T): T {
    return this.#file.transaction(change);
  }

  #use<T>(work: (database: OpenDatabase) => T): T {
    return this.#file.use(work);
  }
}

const TABLES: readonly string[] = ["questions", "troubles", "runs"];

function removeAll(database: OpenDatabase, where: string, ...terms: string[]): RowChange {
  const gone = textsOf(database, `SELECT id FROM questions WHERE ${where}`, ...terms);
  const runs = { changed: [], gone: removeCards(database, where, ...terms) };
  for (const table of TABLES) prepared(database, `DELETE FROM ${table} WHERE ${where}`).run(...terms);
  return { changed: [], gone, runs };
}

/** A copy of a run is in the same trouble, under another name. */
function replaceTrouble(database: OpenDatabase, key: RunKey, trouble: RunReading["trouble"]): void {
  const { place, run } = key;
  prepared(database, "DELETE FROM troubles WHERE place = ? AND run = ?").run(place, run);
  if (trouble === undefined) return;
  const time = timeOf(trouble.at);
  const usual = `run:${run}@${time}`;
  const isTaken = textsOf(database, "SELECT subject FROM troubles WHERE subject = ?", usual).length > 0;
  const subject = isTaken ? `run:${run}.${placeHash(key)}@${time}` : usual;
  const row: TroubleRow = { subject, ...trouble };
  prepared(database, "INSERT INTO troubles VALUES (?, ?, ?, ?, ?)").run(subject, place, run, time, JSON.stringify(row));
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
    prepared(database, "SELECT id, row FROM questions WHERE place = ? AND run = ?").raw().all(place, run) as [
      string,
      string,
    ][],
  );
}

function countOf(database: OpenDatabase, where: string, terms: unknown[]): number {
  const [[count] = [0]] = prepared(database, `SELECT count(*) FROM questions WHERE ${where}`)
    .raw()
    .all(...terms) as [number][];
  return count;
}

/** A copy of a run has questions of the same name. */
function freeId(database: OpenDatabase, effect: string, { place, run }: RunKey): string {
  const isTaken = textsOf(database, "SELECT id FROM questions WHERE id = ?", effect).length > 0;
  return isTaken ? `${effect}.${placeHash({ place, run })}` : effect;
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
