/**
 * A log of the inbox's own: one JSON text per line, only ever appended to, for this person's eyes. Several programs may
 * append at once, and each of them may be killed in the middle of a line. When the log has grown long it begins anew with
 * what still counts, and the old one stays beside it.
 */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { readRegularFrom, readRegularTail, readRegularText } from "../files/read-regular-file.js";
import { refusedBySystem } from "../model/errno.js";
import { BabysitterError } from "../model/errors.js";
import { type Json, parseJson } from "../model/json.js";

/** Beyond this a log begins anew; there are few entries that still count. */
const LONG = 1024 * 1024;
/** A log that somebody else has filled is not read. */
const LARGEST = 64 * LONG;
/** Someone begins the log anew once in a while; more often than this in a row means that something is wrong. */
const MAX_RACES = 20;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = fs.constants;
const NEWLINE = 0x0a;

/** What the lines of a log mean. */
export interface LogRules<Entry, State> {
  /** Of its file, without the ending. */
  name: string;
  /** What follows when the file is moved out of the way. */
  loss: string;
  /** Undefined for a line that is damaged or of a type that is not known here. */
  parse: (value: Json) => Entry | undefined;
  begin: () => State;
  fold: (state: State, entry: Entry) => void;
  /** The entries that lead to the same state, as far as it still counts. */
  entries: (state: State, now: Date) => Entry[];
}

export class EntryLog<Entry, State> {
  readonly #file: string;
  readonly #rules: LogRules<Entry, State>;
  #known: { stamp: string; state: State } | undefined;

  constructor(dir: string, rules: LogRules<Entry, State>) {
    this.#file = path.join(dir, `${rules.name}.jsonl`);
    this.#rules = rules;
  }

  /** What the log says now. */
  state(): State {
    return guarded(() => {
      const stamp = stampOf(this.#file);
      if (this.#known?.stamp !== stamp) this.#known = { stamp, state: this.#folded(this.#text()) };
      return this.#known.state;
    });
  }

  /** On return the entry is durable. */
  append(entry: Entry): void {
    this.appendAll([entry]);
  }

  /** With one sync for all of them. A crash may leave only the first ones. */
  appendAll(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    guarded(() => {
      makeFolders(path.dirname(this.#file), 0o700);
      for (let race = 0; race < MAX_RACES; race += 1) if (this.#appended(lines)) return;
      throw new BabysitterError("SYSTEM_REFUSED", `Other programs kept replacing ${this.#file}.`, {
        hint: "Run the command again.",
      });
    });
  }

  /**
   * Begins anew when it has grown long; only the one server of this person does so. Whoever appends to the old log after
   * that notices, and appends again; what came before, and after the look, is added here.
   */
  shorten(now: Date): void {
    guarded(() => {
      const text = this.#text();
      const size = Buffer.byteLength(text);
      if (size <= LONG) return;
      const fresh = `${this.#file}.${process.pid}.tmp`;
      const lines = this.#rules.entries(this.#folded(text), now).map((entry) => `${JSON.stringify(entry)}\n`);
      fs.writeFileSync(fresh, lines.join(""), { mode: 0o600, flush: true });
      const old = path.join(path.dirname(this.#file), `${this.#rules.name}.${now.getTime()}.jsonl`);
      fs.linkSync(this.#file, old);
      fs.renameSync(fresh, this.#file);
      const late = readRegularFrom(old, size, LARGEST);
      if (late.kind === "file") this.appendAll(this.#entriesIn(late.bytes.toString("utf8")));
    });
  }

  /** False when it was written to a log that has been put aside since. */
  #appended(lines: string): boolean {
    const fd = fs.openSync(this.#file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      const { ino } = fs.fstatSync(fd);
      // All of it, or an error: where a disk becomes full, a single write may take only the beginning.
      fs.writeFileSync(fd, `${endsALine(this.#file) ? "" : "\n"}${lines}`);
      fs.fsyncSync(fd);
      return fs.lstatSync(this.#file, { throwIfNoEntry: false })?.ino === ino;
    } finally {
      fs.closeSync(fd);
    }
  }

  #text(): string {
    const found = readRegularText(this.#file, LARGEST);
    if (found.kind === "unfit")
      throw new BabysitterError("SYSTEM_REFUSED", `Cannot read ${this.#file}: ${found.problem}.`, {
        hint: `Move it out of the way; ${this.#rules.loss}.`,
      });
    return found.kind === "none" ? "" : found.text;
  }

  #folded(text: string): State {
    const state = this.#rules.begin();
    for (const entry of this.#entriesIn(text)) this.#rules.fold(state, entry);
    return state;
  }

  #entriesIn(text: string): Entry[] {
    return text.split("\n").flatMap((line) => this.#entryIn(line) ?? []);
  }

  #entryIn(line: string): Entry | undefined {
    try {
      return line === "" ? undefined : this.#rules.parse(parseJson(line));
    } catch {
      return undefined;
    }
  }
}

/** A crash may have left half a line; what follows must not become part of it. */
function endsALine(file: string): boolean {
  const found = readRegularTail(file, 1);
  return found.kind !== "file" || found.size === 0 || found.tail[0] === NEWLINE;
}

function stampOf(file: string): string {
  const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino}:${stat.size}:${stat.mtimeNs}`;
}

function guarded<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw refusedBySystem(error) ?? error;
  }
}
