/** The cards of the board: a row for each run that can be read, and the words by which it is found. */
import { searchable } from "../rules/query-parts.js";
import type { LaneFacts } from "../rules/run-lanes.js";
import { boardOf, type FoundRun } from "../rules/run-order.js";
import type { RunQuery } from "../rules/run-query.js";
import type { QuestionRow } from "../wire/inbox-wire.js";
import type { Lane, RunList, RunRow } from "../wire/run-wire.js";
import { prepared, textsOf } from "./index-file.js";
import type { OpenDatabase } from "./open-database.js";
import { placeHash, type RunKey } from "./run-key.js";

/** What one reading of a run has found for its card. */
export interface RunCard {
  row: Omit<RunRow, "id" | "questions">;
  facts: LaneFacts;
  /** What it is about, for whoever searches; left out when that is as before. */
  words?: string | undefined;
  /** The ends of its logs, likewise. */
  logs?: string | undefined;
}

/** How a run stood when it was last read. */
export interface KnownCard {
  lane: Lane;
  facts: LaneFacts;
}

export interface CardChange {
  changed: RunRow[];
  gone: string[];
}

/** Puts the card of a run in the place of the one that was known; without a card it has none any longer. */
export function putCard(database: OpenDatabase, key: RunKey, card: RunCard | undefined): CardChange {
  const { place, run } = key;
  const before = cardOf(database, key);
  if (card === undefined) return { changed: [], gone: removeCards(database, "place = ? AND run = ?", place, run) };
  const { facts, words, logs } = card;
  const id = before?.id ?? freeId(database, key);
  const row: RunRow = { id, ...card.row, since: sinceOf(card.row, before?.row), questions: questionsOf(database, key) };
  const text = JSON.stringify(row);
  if (text !== before?.text || JSON.stringify(facts) !== before.facts)
    prepared(database, "INSERT OR REPLACE INTO cards VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      id,
      place,
      run,
      row.lane,
      timeOf(row.since),
      row.outcome === "failed" ? 1 : 0,
      row.state,
      row.process,
      row.project.root,
      timeOf(row.createdAt),
      timeOf(row.lastEventAt),
      JSON.stringify(facts),
      text,
    );
  putTexts(database, key, { words, logs });
  prepared(database, "DELETE FROM gone WHERE place = ? AND run = ?").run(place, run);
  return { changed: text === before?.text ? [] : [row], gone: [] };
}

/** What is left out stays as it was. */
function putTexts(database: OpenDatabase, { place, run }: RunKey, texts: Pick<RunCard, "words" | "logs">): void {
  for (const column of ["words", "logs"] as const) {
    const text = texts[column];
    if (text === undefined) continue;
    prepared(
      database,
      `INSERT INTO texts (place, run, ${column}) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ${column} = excluded.${column}`,
    ).run(place, run, searchable(text));
  }
}

/** Answers the ids that are gone. */
export function removeCards(database: OpenDatabase, where: string, ...terms: unknown[]): string[] {
  const gone = textsOf(database, `SELECT id FROM cards WHERE ${where}`, ...terms);
  for (const table of ["cards", "texts"]) prepared(database, `DELETE FROM ${table} WHERE ${where}`).run(...terms);
  return gone;
}

const MAX_GONE = 1_000;

/** Remembers that there was such a run: one that has a card, or could not be read, as while it is being deleted. */
export function noteGone(database: OpenDatabase, { place, run }: RunKey): void {
  const isBroken =
    textsOf(database, "SELECT problem FROM runs WHERE place = ? AND run = ? AND problem IS NOT NULL", place, run)
      .length > 0;
  if (!isBroken && cardOf(database, { place, run }) === undefined) return;
  prepared(database, "INSERT OR REPLACE INTO gone VALUES (?, ?, ?)").run(place, run, Date.now());
  prepared(database, "DELETE FROM gone WHERE at < (SELECT at FROM gone ORDER BY at DESC LIMIT 1 OFFSET ?)").run(
    MAX_GONE,
  );
}

/** How the runs of a folder stood when they were last read. */
export function knownCards(database: OpenDatabase, place: string): Map<string, KnownCard> {
  const rows = prepared(database, "SELECT run, lane, facts FROM cards WHERE place = ? AND lane <> 'done'")
    .raw()
    .all(place) as [string, Lane, string][];
  return new Map(rows.map(([run, lane, facts]) => [run, { lane, facts: JSON.parse(facts) as LaneFacts }]));
}

export function listCards(database: OpenDatabase, query: RunQuery, now: number): Omit<RunList, "unreadable"> {
  const { ids, next, counts, failed } = boardOf(findCards(database, query), { ...query, now });
  const get = prepared(database, "SELECT row FROM cards WHERE id = ?").raw();
  const runs = ids.flatMap((id) => ((get.get(id) as [string] | undefined) ?? []).map(rowIn));
  return {
    runs,
    next,
    counts,
    failed,
    processes: textsOf(database, "SELECT DISTINCT process FROM cards ORDER BY process"),
    projects: textsOf(database, "SELECT DISTINCT root FROM cards ORDER BY root").map((root) => ({
      name: nameOf(root),
      root,
    })),
  };
}

function findCards(database: OpenDatabase, { words, process, project, state, day }: RunQuery): FoundRun[] {
  const conditions: [string, ...unknown[]][] = words.map((word) => [
    "(instr(texts.words, ?) > 0 OR instr(texts.logs, ?) > 0)",
    word,
    word,
  ]);
  if (process !== undefined) conditions.push(["process = ?", process]);
  if (project !== undefined) conditions.push(["root = ?", project]);
  if (state !== undefined) conditions.push(["state = ?", state]);
  if (day !== undefined)
    conditions.push(["(created >= ? AND created < ? OR last >= ? AND last < ?)", day.from, day.to, day.from, day.to]);
  const join = words.length === 0 ? "" : "JOIN texts ON texts.place = cards.place AND texts.run = cards.run";
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(([condition]) => condition).join(" AND ")}`;
  // As one text: taking over thousands of rows one by one takes longer than finding them.
  const [found] = database
    .prepare(`SELECT json_group_array(json_array(id, lane, since, failed)) FROM cards ${join} ${where}`)
    .raw()
    .get(...conditions.flatMap(([, ...terms]) => terms)) as [string];
  const rows = JSON.parse(found) as [string, Lane, number, number][];
  return rows.map(([id, lane, since, failed]) => ({ id, lane, since, failed: failed === 1 }));
}

/** Where the run is that has this id. */
export function findCard(database: OpenDatabase, id: string): RunKey | undefined {
  const found = prepared(database, "SELECT place, run FROM cards WHERE id = ?").raw().get(id) as
    | [string, string]
    | undefined;
  return found === undefined ? undefined : { place: found[0], run: found[1] };
}

interface StoredCard {
  id: string;
  row: RunRow;
  text: string;
  facts: string;
}

function cardOf(database: OpenDatabase, { place, run }: RunKey): StoredCard | undefined {
  const found = prepared(database, "SELECT id, row, facts FROM cards WHERE place = ? AND run = ?")
    .raw()
    .get(place, run) as [string, string, string] | undefined;
  if (found === undefined) return undefined;
  const [id, text, facts] = found;
  return { id, row: rowIn(text), text, facts };
}

/** A copy of a run has the same name. */
function freeId(database: OpenDatabase, key: RunKey): string {
  return findCard(database, key.run) === undefined ? key.run : `${key.run}.${placeHash(key)}`;
}

/** Work goes on from event to event: what counts is when it began. */
function sinceOf({ lane, since }: Pick<RunRow, "lane" | "since">, before: RunRow | undefined): string {
  return lane === "working" && before?.lane === "working" ? before.since : since;
}

function questionsOf(database: OpenDatabase, { place, run }: RunKey): RunRow["questions"] {
  const rows = textsOf(
    database,
    "SELECT row FROM questions WHERE place = ? AND run = ? AND decided = 0 ORDER BY grp, time, id LIMIT ?",
    place,
    run,
    MAX_QUESTIONS,
  );
  return rows.map((text) => {
    const { id, title, question } = JSON.parse(text) as QuestionRow;
    return { id, title: (title ?? question).slice(0, LONGEST_TITLE) };
  });
}

const MAX_QUESTIONS = 20;
const LONGEST_TITLE = 300;

/** Somebody else may have written to the file. */
function rowIn(text: string): RunRow {
  const row = JSON.parse(text) as Partial<RunRow> | null;
  if (typeof row?.id !== "string") throw new SyntaxError("It is no row of a run.");
  return row as RunRow;
}

function nameOf(root: string): string {
  return root.split(/[/\\]/u).findLast((part) => part !== "") ?? root;
}

function timeOf(at: string): number {
  return Date.parse(at) || 0;
}
