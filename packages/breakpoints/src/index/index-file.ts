/** The file of the index in use: another one takes its place when it is lost. */
import {
  inodeOf,
  isDamage,
  type OpenDatabase,
  type OpenIndex,
  openAnew,
  openDatabase,
  openInMemory,
  type Statement,
} from "./open-database.js";

export class IndexFile {
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

  close(): void {
    this.#open.database.close();
  }

  texts(query: string, ...terms: unknown[]): string[] {
    return this.use((database) => textsOf(database, query, ...terms));
  }

  transaction<T>(change: (database: OpenDatabase) => T): T {
    return this.use((database) => {
      prepared(database, "BEGIN IMMEDIATE").run();
      try {
        const answer = change(database);
        prepared(database, "COMMIT").run();
        return answer;
      } catch (error) {
        if (database.inTransaction) database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  /** Once more with a new file when this one turns out to be gone or damaged. */
  use<T>(work: (database: OpenDatabase) => T): T {
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

const STATEMENTS = new WeakMap<OpenDatabase, Map<string, Statement>>();

/** Preparing a statement takes longer than most of them take: those that never change are prepared once. */
export function prepared(database: OpenDatabase, query: string): Statement {
  const known = STATEMENTS.get(database) ?? new Map<string, Statement>();
  STATEMENTS.set(database, known);
  const statement = known.get(query) ?? database.prepare(query);
  known.set(query, statement);
  return statement;
}

export function textsOf(database: OpenDatabase, query: string, ...terms: unknown[]): string[] {
  return (
    prepared(database, query)
      .raw()
      .all(...terms) as [string][]
  ).map(([text]) => text);
}

function isFull(error: unknown): boolean {
  const { code = "" } = error as { code?: unknown } as { code?: string };
  return typeof code === "string" && /^SQLITE_(?:FULL|READONLY|CANTOPEN)/u.test(code);
}
