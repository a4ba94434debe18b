/**
 * The inbox's own log: one JSON text per line, only ever appended to, for this person's eyes. Several programs may append
 * at once, and each of them may be killed in the middle of a line. When the log has grown long it begins anew with what
 * still counts, and the old one stays beside it.
 */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { readRegularFrom, readRegularTail, readRegularText } from "../files/read-regular-file.js";
import { refusedBySystem } from "../model/errno.js";
import { BabysitterError } from "../model/errors.js";
import { parseJson } from "../model/json.js";
import {
  type AccessEntry,
  type AccessState,
  accessEntries,
  asAccessEntry,
  emptyAccess,
  foldAccess,
} from "./access-state.js";

const NAME = "access.jsonl";
/** Beyond this the log begins anew; there are few entries that still count. */
const LONG = 1024 * 1024;
/** A log that somebody else has filled is not read. */
const LARGEST = 64 * LONG;
/** Someone begins the log anew once in a while; more often than this in a row means that something is wrong. */
const MAX_RACES = 20;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = fs.constants;
const NEWLINE = 0x0a;

export function accessLogFile(folder: string): string {
  return path.join(folder, NAME);
}

export class AccessLog {
  readonly #file: string;
  #known: { stamp: string; state: AccessState } | undefined;

  constructor(dir: string) {
    this.#file = accessLogFile(dir);
  }

  /** What the log says now. */
  state(): AccessState {
    return guarded(() => {
      const stamp = stampOf(this.#file);
      if (this.#known?.stamp !== stamp) this.#known = { stamp, state: folded(this.#text()) };
      return this.#known.state;
    });
  }

  /** On return the entry is durable. */
  append(entry: AccessEntry): void {
    guarded(() => {
      makeFolders(path.dirname(this.#file), 0o700);
      for (let race = 0; race < MAX_RACES; race += 1) if (this.#appended(entry)) return;
      throw new BabysitterError("SYSTEM_REFUSED", `Others kept replacing ${this.#file}.`, {
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
      const lines = accessEntries(folded(text), now).map((entry) => `${JSON.stringify(entry)}\n`);
      fs.writeFileSync(fresh, lines.join(""), { mode: 0o600, flush: true });
      const old = path.join(path.dirname(this.#file), `access.${now.getTime()}.jsonl`);
      fs.linkSync(this.#file, old);
      fs.renameSync(fresh, this.#file);
      const late = readRegularFrom(old, size, LARGEST);
      if (late.kind === "file") for (const entry of entriesIn(late.bytes.toString("utf8"))) this.append(entry);
    });
  }

  /** False when it was written to a log that has been put aside since. */
  #appended(entry: AccessEntry): boolean {
    const fd = fs.openSync(this.#file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      const { ino } = fs.fstatSync(fd);
      fs.writeSync(fd, `${endsALine(this.#file) ? "" : "\n"}${JSON.stringify(entry)}\n`);
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
        hint: "Move it out of the way; browsers then have to be signed in again.",
      });
    return found.kind === "none" ? "" : found.text;
  }
}

function folded(text: string): AccessState {
  const state = emptyAccess();
  for (const entry of entriesIn(text)) foldAccess(state, entry);
  return state;
}

function entriesIn(text: string): AccessEntry[] {
  return text.split("\n").flatMap((line) => entryIn(line) ?? []);
}

/** A crash may have left half a line; what follows must not become part of it. */
function endsALine(file: string): boolean {
  const found = readRegularTail(file, 1);
  return found.kind !== "file" || found.size === 0 || found.tail[0] === NEWLINE;
}

function entryIn(line: string): AccessEntry | undefined {
  try {
    return asAccessEntry(parseJson(line));
  } catch {
    return undefined;
  }
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
