/**
 * Who drives a run. A lease is a file with the number of its epoch; it is published with link(2), so that of
 * two who want the same epoch one gets it. Nothing in the journal depends on it: a wrong judgement costs
 * work, never a result.
 */
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import type { RunId } from "../../model/ids.js";
import { isJsonObject, parseJson } from "../../model/json.js";
import type { LeaseAnswer, LeaseHolder, LeaseRecord, Leases } from "../../model/ports.js";
import { withDiskErrors, withReadErrors } from "./disk-errors.js";
import { DurableFiles, nodeFs } from "./journal-fs.js";
import { type RunLayout, runLayout } from "./layout.js";
import { refuseFalseFolders, refuseMissingRun } from "./own-folders.js";

/** Handles this many crashes in a row. */
const MAX_UNSETTLED = 32;
/** Every lost race means that someone else got a lease; this many in a row means that something is wrong. */
const MAX_RACES = 1_000;
/** A lease is some hundred bytes, and names a few earlier ones. */
const LARGEST_LEASE = 1024 * 1024;

const NAME = /^driver-(\d{1,15})\.json$/;

export interface FileLeasesOptions {
  /** Where the lease is kept: the directory of a run, or one that is made for it. */
  runDir: (runId: RunId) => string;
  /** What must be there already, lest something be half made that someone has deleted; by default, where it is kept. */
  within?: (runId: RunId) => string;
  now: () => Date;
}

export class FileLeases implements Leases {
  readonly #options: FileLeasesOptions;
  /** A lease is useless after a power cut. */
  readonly #files = new DurableFiles(nodeFs, "relaxed");

  #taken: LeaseRecord | undefined;

  constructor(options: FileLeasesOptions) {
    this.#options = options;
  }

  async take(runId: RunId, holder: LeaseHolder, isGone: (other: LeaseRecord) => boolean): Promise<LeaseAnswer> {
    const layout = this.#layout(runId);
    return withDiskErrors(layout.root, () => {
      refuseFalseFolders(this.#files, layout);
      this.#makeFolders(runId, layout);
      for (let race = 0; race < MAX_RACES; race += 1) {
        const current = this.#newest(layout);
        if (current !== undefined && !current.released && !isGone(current)) return { taken: false, by: current };
        const epoch = (current?.epoch ?? 0) + 1;
        const record = { ...holder, epoch, released: false, at: this.#now(), unsettled: unsettledBy(current) };
        if (!this.#publish(layout, record)) continue;
        const all = epochs(this.#files, layout);
        // Others have held and released this epoch since the look, and whoever took the next one removed its file.
        if (all.some((other) => other > epoch)) {
          this.#files.discard(file(layout, epoch));
          continue;
        }
        this.#taken = record;
        for (const old of all) if (old < epoch) this.#files.discard(file(layout, old));
        return { taken: true, epoch, previous: current };
      }
      throw contended(layout);
    });
  }

  async renew(runId: RunId, epoch: number): Promise<boolean> {
    const layout = this.#layout(runId);
    const newest = this.#newest(layout);
    if (newest === undefined) return this.#publishAgain(layout);
    if (!this.#isMine(newest, epoch) || newest.released) return false;
    this.#replace(layout, { ...newest, at: this.#now() });
    return true;
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    const layout = this.#layout(runId);
    const newest = this.#newest(layout);
    if (newest !== undefined && this.#isMine(newest, epoch))
      this.#replace(layout, { ...newest, released: true, at: this.#now() });
  }

  async holder(runId: RunId): Promise<LeaseRecord | undefined> {
    return this.#newest(this.#layout(runId));
  }

  /** Epochs start over when `state/` is deleted: the number alone proves nothing. */
  #isMine(record: LeaseRecord, epoch: number): boolean {
    return record.epoch === epoch && (this.#taken === undefined || record.nonce === this.#taken.nonce);
  }

  #makeFolders(runId: RunId, { temp }: RunLayout): void {
    const { runDir, within = runDir } = this.#options;
    const root = within(runId);
    try {
      this.#files.makeDirBelow(root, temp);
    } finally {
      refuseMissingRun(this.#files, { root });
    }
  }

  /** `state/` may be deleted at any time, but nobody else has taken the lease. */
  #publishAgain(layout: RunLayout): boolean {
    if (this.#taken === undefined) return false;
    // The run itself is gone; whoever appends to it will notice.
    if (!this.#files.fs.existsSync(layout.journal)) return true;
    this.#files.makeDirBelow(layout.root, layout.temp);
    return this.#publish(layout, { ...this.#taken, at: this.#now() });
  }

  #newest(layout: RunLayout): LeaseRecord | undefined {
    return withReadErrors(layout.root, () => {
      for (let race = 0; race < MAX_RACES; race += 1) {
        const epoch = newestEpoch(this.#files, layout);
        if (epoch === undefined) return undefined;
        const found = this.#files.fs.readText(file(layout, epoch), LARGEST_LEASE);
        if (found.kind === "unfit") return parse("", epoch);
        if (found.kind === "file") return parse(found.text, epoch);
        // Replaced by a newer one between listing and reading.
      }
      throw contended(layout);
    });
  }

  #publish(layout: RunLayout, record: LeaseRecord): boolean {
    const temp = path.join(layout.temp, `driver-${record.nonce}`);
    this.#files.writeView(temp, render(record));
    try {
      this.#files.fs.linkSync(temp, file(layout, record.epoch));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    } finally {
      this.#files.discard(temp);
    }
  }

  #replace(layout: RunLayout, record: LeaseRecord): void {
    const temp = path.join(layout.temp, `driver-${record.nonce}`);
    this.#files.writeView(temp, render(record));
    this.#files.fs.renameSync(temp, file(layout, record.epoch));
  }

  #layout(runId: RunId): RunLayout {
    return runLayout(this.#options.runDir(runId));
  }

  #now(): string {
    return this.#options.now().toISOString();
  }
}

/** Epoch of the newest known lease of a run. */
export function newestEpoch(files: DurableFiles, layout: RunLayout): number | undefined {
  return epochs(files, layout).at(-1);
}

function epochs({ fs }: DurableFiles, { state }: RunLayout): number[] {
  return namesIn(fs, state)
    .map((name) => NAME.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .toSorted((a, b) => a - b);
}

/** No look before: caches may be deleted at any moment. Something else in their place holds no lease. */
function namesIn(fs: DurableFiles["fs"], dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

function contended({ root }: RunLayout): BabysitterError {
  return new BabysitterError("RUN_CONTENDED", `Other programs kept changing the lease of ${root}.`, {
    hint: "Run the command again. If no other program drives the run, delete its folder state/; it is created again.",
    details: { runDir: root },
  });
}

function file(layout: RunLayout, epoch: number): string {
  return path.join(layout.state, `driver-${epoch}.json`);
}

function unsettledBy(current: LeaseRecord | undefined): LeaseHolder[] {
  if (current === undefined || current.released) return [];
  const { epoch: _, released: _released, at: _at, unsettled = [], ...holder } = current;
  return [...unsettled, holder].slice(-MAX_UNSETTLED);
}

function render(record: LeaseRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** A lease that cannot be read belongs to nobody who could be asked. */
function parse(text: string, epoch: number): LeaseRecord {
  const unknown: LeaseRecord = { pid: 0, startTime: "", host: "", nonce: "", epoch, released: true, at: "" };
  try {
    const document = parseJson(text);
    return isJsonObject(document) ? { ...unknown, released: false, ...document, epoch } : unknown;
  } catch {
    return unknown;
  }
}
