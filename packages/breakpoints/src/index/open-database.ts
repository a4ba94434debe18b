/**
 * Opens the file of the index. It is only a view: whatever cannot be used is put aside, and made again from the journals.
 * What does not look like an index of ours stays where it is.
 */
import fs from "node:fs";
import path from "node:path";
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import Database from "libsql";

/** In every file of ours, so that no other program's is taken for one. */
const APPLICATION = 0x62_73_69_78;
/** An index of another version is made again. */
const SCHEMA_VERSION = 3;

const SCHEMA = `
CREATE TABLE runs (
  place TEXT NOT NULL, run TEXT NOT NULL, stamp TEXT NOT NULL, unfinished INTEGER NOT NULL, at INTEGER NOT NULL,
  problem TEXT, PRIMARY KEY (place, run)
) WITHOUT ROWID;
CREATE TABLE questions (
  id TEXT PRIMARY KEY, place TEXT NOT NULL, run TEXT NOT NULL, effect TEXT NOT NULL,
  decided INTEGER NOT NULL, grp INTEGER NOT NULL, time INTEGER NOT NULL, row TEXT NOT NULL, words TEXT NOT NULL
);
CREATE INDEX questions_in_order ON questions (decided, grp, time, id);
CREATE INDEX questions_of_run ON questions (place, run);
CREATE TABLE troubles (
  subject TEXT PRIMARY KEY, place TEXT NOT NULL, run TEXT NOT NULL, time INTEGER NOT NULL, row TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX troubles_of_run ON troubles (place, run);
CREATE INDEX runs_by_name ON runs (run);
CREATE TABLE cards (
  id TEXT PRIMARY KEY, place TEXT NOT NULL, run TEXT NOT NULL, lane TEXT NOT NULL, since INTEGER NOT NULL,
  failed INTEGER NOT NULL, state TEXT NOT NULL, process TEXT NOT NULL, root TEXT NOT NULL, created INTEGER NOT NULL,
  last INTEGER NOT NULL, facts TEXT NOT NULL, row TEXT NOT NULL
);
CREATE UNIQUE INDEX cards_of_run ON cards (place, run);
CREATE INDEX cards_in_lanes ON cards (lane, since, failed, id, state, process, root, created, last);
CREATE INDEX cards_by_process ON cards (process);
CREATE INDEX cards_by_root ON cards (root);
CREATE TABLE texts (
  place TEXT NOT NULL, run TEXT NOT NULL, words TEXT NOT NULL DEFAULT '', logs TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (place, run)
);
CREATE TABLE gone (
  place TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (place, run)
) WITHOUT ROWID;
CREATE INDEX gone_by_name ON gone (run);
PRAGMA application_id = ${APPLICATION};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

export type OpenDatabase = Database.Database;
export type Statement = Database.Statement;

/** Which file it is, so that another one in its place is noticed. */
export interface OpenIndex {
  database: OpenDatabase;
  inode: number | undefined;
}

/** `isOwnPlace`: only an index of ours can be there, so anything else may be put aside. */
export function openDatabase(file: string, { isOwnPlace }: { isOwnPlace: boolean }): OpenIndex {
  try {
    const found = lookAt(file);
    if (found === "foreign" && !isOwnPlace) throw notOurs(file);
    if (found === "foreign") putAside(file);
    return openHere(file) ?? openAnew(file);
  } catch (error) {
    throw BabysitterError.is(error) ? error : unusable(file, error);
  }
}

/** Without a file; for when there is no place left to write to. */
export function openInMemory(): OpenIndex {
  const database = new Database(":memory:");
  database.exec(SCHEMA);
  return { database, inode: undefined };
}

export function inodeOf(file: string): number | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.ino;
  } catch {
    return undefined;
  }
}

const MAGIC = "SQLite format 3\0";
const APPLICATION_AT = 68;

function lookAt(file: string): "nothing" | "ours" | "foreign" {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return "nothing";
  if (!stat.isFile()) throw new BabysitterError("SYSTEM_REFUSED", `${file} is not a regular file.`, moveIt());
  if (stat.size === 0) return "nothing";
  const head = Buffer.alloc(APPLICATION_AT + 4);
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    fs.readSync(fd, head, 0, head.length, 0);
  } finally {
    fs.closeSync(fd);
  }
  const isOurs =
    head.toString("latin1", 0, MAGIC.length) === MAGIC && head.readUInt32BE(APPLICATION_AT) === APPLICATION;
  return isOurs ? "ours" : "foreign";
}

/** Undefined for a file that is damaged or of another version. */
function openHere(file: string): OpenIndex | undefined {
  makeFolder(path.dirname(file));
  // What the database adds beside its file gets the same mode.
  fs.closeSync(fs.openSync(file, fs.constants.O_CREAT | fs.constants.O_WRONLY, 0o600));
  fs.chmodSync(file, 0o600);
  const database = new Database(file, { timeout: 2_000 });
  try {
    database.pragma("synchronous = OFF");
    // Into the file itself, by which it is recognised after a crash: what comes later may only be in the log beside it.
    if (numberOf(database, "user_version") === 0) database.exec(`BEGIN; ${SCHEMA} COMMIT;`);
    database.pragma("journal_mode = WAL");
    const isGood =
      numberOf(database, "user_version") === SCHEMA_VERSION &&
      numberOf(database, "application_id") === APPLICATION &&
      JSON.stringify(database.prepare("PRAGMA quick_check(1)").raw().all()) === '[["ok"]]';
    if (isGood) return { database, inode: inodeOf(file) };
  } catch (error) {
    if (!isDamage(error)) {
      database.close();
      throw error;
    }
  }
  database.close();
  return undefined;
}

/** One after the other: Node's own way spins for ever where a file system says that nothing can be there. */
function makeFolder(dir: string): void {
  if (fs.existsSync(dir)) return;
  makeFolder(path.dirname(dir));
  try {
    fs.mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (!fs.existsSync(dir)) throw error;
  }
}

/** What is there is put aside. */
export function openAnew(file: string): OpenIndex {
  putAside(file);
  const opened = openHere(file);
  if (opened === undefined) throw new Error("it is damaged right after it is created");
  return opened;
}

/** One is kept, for whoever wants to know what was wrong with it. */
function putAside(file: string): void {
  for (const ending of ["", "-wal", "-shm"]) {
    if (fs.lstatSync(`${file}${ending}`, { throwIfNoEntry: false }) === undefined) continue;
    if (ending === "") fs.renameSync(file, `${file}.damaged`);
    else fs.rmSync(`${file}${ending}`, { force: true });
  }
}

const DAMAGE = ["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR", "SQLITE_FORMAT", "SQLITE_SCHEMA", "SQLITE_IOERR"];

/** True for errors that a new file would not have. */
export function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  const code = error instanceof Database.SqliteError ? error.code : "";
  return DAMAGE.some((damage) => code.startsWith(damage));
}

function numberOf(database: OpenDatabase, pragma: string): number {
  const [[value] = [0]] = database.prepare(`PRAGMA ${pragma}`).raw().all() as number[][];
  return value ?? 0;
}

function notOurs(file: string): BabysitterError {
  return new BabysitterError("SYSTEM_REFUSED", `${file} is not an index of the inbox.`, moveIt());
}

function unusable(file: string, error: unknown): BabysitterError {
  const why = error instanceof Error ? error.message : String(error);
  return new BabysitterError("SYSTEM_REFUSED", `The index ${file} cannot be used: ${why}.`, moveIt());
}

function moveIt(): { hint: string } {
  return { hint: "Move it elsewhere, or set DB_PATH to another file. Nothing is lost: the index is rebuilt." };
}
