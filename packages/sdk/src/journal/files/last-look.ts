/**
 * When the notes were last compared with all runs. The folder of runs changes whenever a run comes, goes or is replaced,
 * and a command of ours that writes to a run which is over says so here. As long as neither has happened since, the same
 * runs are there, and notes about those that are over are believed without another look at each. For a short time only:
 * nobody tells when someone else changes something inside such a run.
 */
import path from "node:path";
import { sha256 } from "../rules/chain.js";
import { tempName } from "./event-log.js";
import type { Change, DurableFiles } from "./journal-fs.js";

/** So long may it stay unseen what someone else does inside a run that is over. */
const LONGEST_MS = 10 * 60_000;
/** File systems may give two changes the same time when they are closer than this. */
const CLOSE_MS = 3_000;
/** Changed by whoever writes to a run that is over; the same for all versions. */
const WRITTEN = "written-when-over";

interface Places {
  /** The folder of runs. */
  runs: string;
  /** The folder of notes. */
  dir: string;
  /** Where the look is noted. */
  look: string;
}

export class LastLook {
  readonly #files: DurableFiles;
  readonly #places: Places;
  readonly #now: number;
  /** The folder of runs, and what our commands change, as they were before anything else was read. */
  readonly #before: (Change | undefined)[];
  #at: number;

  constructor(files: DurableFiles, places: Places, now: number) {
    this.#files = files;
    this.#places = places;
    this.#now = now;
    this.#at = now;
    this.#before = [places.runs, path.join(places.dir, WRITTEN)].map((file) => files.fs.changeOf(file));
  }

  /** The names that the notes with this checksum say nothing about; undefined when every run must be looked at. */
  othersThan(checksum: string): string[] | undefined {
    const [seal, ...lines] = this.#text().split("\n");
    const [facts, at, ...others] = lines;
    const age = this.#now - Number(at);
    if (facts !== this.#facts(checksum) || !(age >= 0 && age < LONGEST_MS)) return undefined;
    if (seal !== sha256(lines.join("\n"))) return undefined;
    this.#at = Number(at);
    return others;
  }

  /** Notes that all runs were looked at, now or when {@link othersThan} has said so, and found as the notes say. */
  note(checksum: string, others: readonly string[]): void {
    if (!this.#before.every((change) => isSettled(change, this.#now))) return;
    const text = [this.#facts(checksum), this.#at, ...others].join("\n");
    replaceView(this.#files, this.#places.look, `${sha256(text)}\n${text}`);
  }

  #facts(checksum: string): string {
    return [checksum, ...this.#before.map((change) => (change === undefined ? "none" : textOf(change)))].join(" ");
  }

  #text(): string {
    try {
      return this.#files.textOf(this.#places.look) ?? "";
    } catch {
      return "";
    }
  }
}

/** For whoever has written to a run that is over: the next listing looks at all of them. */
export function askForLook(files: DurableFiles, dir: string): void {
  try {
    if (files.fs.existsSync(dir)) files.writeView(path.join(dir, WRITTEN), "");
  } catch {
    // They are looked at a little later.
  }
}

/** Replaces a file as a whole; throws when that is not possible. */
export function replaceView(files: DurableFiles, file: string, text: string): void {
  const temp = path.join(path.dirname(file), tempName("index"));
  try {
    files.writeView(temp, text);
    files.fs.renameSync(temp, file);
  } catch (error) {
    files.discard(temp);
    throw error;
  }
}

/** A change that comes later is certain to be seen. A time that has not come yet says nothing: a clock was put back. */
export function isSettled(change: Change | undefined, now: number): boolean {
  return change === undefined || change.ctimeMs + CLOSE_MS < now;
}

export function textOf({ ino, ctimeMs }: Change): string {
  return `${ino} ${ctimeMs}`;
}
