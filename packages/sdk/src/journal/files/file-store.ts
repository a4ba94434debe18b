import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import type { EventDraft, Head, JournalEvent } from "../../model/events.js";
import { type EffectId, parseRunId, type RunId } from "../../model/ids.js";
import { defined, isJsonObject } from "../../model/json.js";
import type {
  AppendResult,
  CodeSnapshot,
  Fill,
  JournalReport,
  JournalStore,
  Leftover,
  LogTail,
  RepairReport,
  RunListing,
  SummarySnapshot,
} from "../../model/ports.js";
import type { ReplayIndex, RunSummary } from "../../model/run-state.js";
import { parseEventFileName } from "../rules/chain.js";
import { archiveDirOf, archiveRunDirectory, restoreRunDirectory } from "./archive.js";
import { getBlob, putBlob, spillValues } from "./blobs.js";
import { checkJournal, repairJournal } from "./check-journal.js";
import { createRunDirectory, UNFINISHED_PREFIX } from "./create-run.js";
import { withDiskErrors } from "./disk-errors.js";
import { EventLog } from "./event-log.js";
import { DIR_MODE, type Durability, DurableFiles, type JournalFs, nodeFs } from "./journal-fs.js";
import { type RunLayout, runLayout, taskDir } from "./layout.js";
import { removeRunDirectory } from "./remove-run.js";
import { readIndexSnapshot, readSummarySnapshot, writeIndexSnapshot, writeSummarySnapshot } from "./snapshots.js";
import { sweepLeftovers } from "./sweep.js";
import { listTaskLogs, readTaskLogTail } from "./task-logs.js";
import { treeBytes } from "./tree-size.js";
import { isTaskWhole, restoreRunViews, writeMissingViews, writeViews } from "./views.js";
import { watchJournal } from "./watch-journal.js";

export interface FileStoreOptions {
  runsDir: string;
  durability?: Durability;
  /**
   * When readable copies are written: with every event, or together now and then. Each small file beside a
   * journal makes the next sync dearer, so runs that stay open put them off.
   */
  views?: "at-once" | "deferred";
  fs?: JournalFs;
}

/** Journals as directories of files. Reads are synchronous: for many small files that is ten times faster. */
export class FileJournalStore implements JournalStore {
  readonly #options: FileStoreOptions;
  readonly #runsDir: string;
  readonly #files: DurableFiles;
  readonly #logs = new Map<RunId, EventLog>();
  readonly #deferred: Map<RunId, JournalEvent[]> | undefined;

  constructor(options: FileStoreOptions) {
    this.#options = options;
    this.#runsDir = path.resolve(options.runsDir);
    this.#files = new DurableFiles(options.fs ?? nodeFs, options.durability ?? "full");
    this.#deferred = options.views === "deferred" ? new Map() : undefined;
  }

  async create(
    runId: RunId,
    first: EventDraft & { type: "RUN_CREATED" },
    code: CodeSnapshot,
    fill?: Fill,
  ): Promise<void> {
    await createRunDirectory(this.#files, { runsDir: this.#runsDir, runId, first, code, ...defined({ fill }) });
  }

  async exists(runId: RunId): Promise<boolean> {
    return this.#files.fs.existsSync(this.runDir(runId));
  }

  async list(): Promise<RunListing[]> {
    const { fs } = this.#files;
    if (!fs.existsSync(`${this.#runsDir}/.`)) return [];
    const listings: RunListing[] = [];
    for (const name of fs.readdirSync(this.#runsDir).toSorted()) {
      const runDir = path.join(this.#runsDir, name);
      if (name.startsWith(UNFINISHED_PREFIX) || !isRunId(name) || !this.#looksLikeRun(runDir)) continue;
      listings.push({ runId: parseRunId(name), runDir, foreign: !this.#isOurs(runDir) });
    }
    return listings;
  }

  runDir(runId: RunId): string {
    return path.join(this.#runsDir, runId);
  }

  async read(runId: RunId, after: Head | undefined): Promise<JournalEvent[] | undefined> {
    const log = this.#log(runId);
    if (after === undefined) return this.#reading(runId, () => log.readAll());
    const events = this.#reading(runId, () => log.readAfter(after));
    // Whoever appended these may have died before writing their copies.
    for (const event of events ?? []) writeMissingViews(this.#files, this.#layout(runId), event);
    return events;
  }

  async readAt(runId: RunId, place: { seq: number; id: string }): Promise<JournalEvent> {
    return this.#reading(runId, () => this.#log(runId).readAt(place));
  }

  async append(runId: RunId, head: Head, drafts: EventDraft[]): Promise<AppendResult> {
    const layout = this.#layout(runId);
    const spilled = withDiskErrors(layout.root, () => drafts.map((draft) => spillValues(this.#files, layout, draft)));
    const result = this.#log(runId).append(head, spilled);
    if (this.#deferred === undefined) for (const event of result.events) writeViews(this.#files, layout, event);
    else this.#defer(this.#deferred, runId, result.events);
    return result;
  }

  async sync(runId: RunId): Promise<void> {
    withDiskErrors(this.runDir(runId), () => this.#log(runId).sync(0));
  }

  async putBlob(runId: RunId, text: string): Promise<{ blob: string; bytes: number }> {
    const layout = this.#layout(runId);
    return withDiskErrors(layout.root, () => putBlob(this.#files, layout, text));
  }

  async getBlob(runId: RunId, blob: string): Promise<string> {
    return getBlob(this.#files, this.#layout(runId), blob);
  }

  async writeTaskFile(
    runId: RunId,
    effectId: EffectId,
    name: "stdout.log" | "stderr.log",
    content: Uint8Array,
  ): Promise<string> {
    const layout = this.#layout(runId);
    const dir = taskDir(layout, effectId);
    withDiskErrors(layout.root, () => {
      this.#files.fs.mkdirSync(dir, { recursive: true, mode: DIR_MODE });
      this.#files.write(path.join(dir, name), content);
    });
    return `tasks/${effectId}/${name}`;
  }

  async readTaskFile(runId: RunId, effectId: EffectId, name: "stdout.log" | "stderr.log"): Promise<string | undefined> {
    const file = path.join(taskDir(this.#layout(runId), effectId), name);
    return this.#files.fs.existsSync(file) ? this.#files.fs.readFileSync(file, "utf8") : undefined;
  }

  async readLogTail(
    runId: RunId,
    effectId: EffectId,
    name: "stdout.log" | "stderr.log",
    maxBytes: number,
  ): Promise<LogTail | undefined> {
    return readTaskLogTail(path.join(taskDir(this.#layout(runId), effectId), name), maxBytes);
  }

  async listLogs(runId: RunId, effectId: EffectId): Promise<{ file: string; bytes: number }[]> {
    const logs = listTaskLogs(taskDir(this.#layout(runId), effectId));
    return logs.map(({ name, bytes }) => ({ file: `tasks/${effectId}/${name}`, bytes }));
  }

  async readSummary(runId: RunId): Promise<SummarySnapshot | undefined> {
    return readSummarySnapshot(this.#files, this.#layout(runId));
  }

  async writeSummary(runId: RunId, snapshot: SummarySnapshot): Promise<void> {
    writeSummarySnapshot(this.#files, this.#layout(runId), snapshot);
  }

  async readIndex(runId: RunId): Promise<ReplayIndex | undefined> {
    return readIndexSnapshot(this.#files, this.#layout(runId));
  }

  async writeIndex(runId: RunId, index: ReplayIndex, summary: RunSummary): Promise<void> {
    writeIndexSnapshot(this.#files, this.#layout(runId), index, summary);
  }

  async hasIndex(runId: RunId): Promise<boolean> {
    return this.#files.fs.existsSync(this.#layout(runId).index);
  }

  async flushViews(runId: RunId): Promise<void> {
    const layout = this.#layout(runId);
    // Others who have read the events may have written their copies.
    for (const event of this.#deferred?.get(runId) ?? []) writeMissingViews(this.#files, layout, event);
    this.#deferred?.delete(runId);
  }

  async restoreViews(runId: RunId, summary: RunSummary): Promise<void> {
    const layout = this.#layout(runId);
    const log = this.#log(runId);
    restoreRunViews(this.#files, layout, summary.created);
    if (!this.#files.fs.existsSync(layout.tasks)) {
      for (const event of log.readAll()) writeViews(this.#files, layout, event);
      return;
    }
    for (const { effectId, request } of Object.values(summary.pending)) {
      if (!isTaskWhole(this.#files, layout, effectId)) writeViews(this.#files, layout, log.readAt(request));
    }
  }

  async check(runId: RunId): Promise<JournalReport> {
    return this.#reading(runId, () => checkJournal(this.#files, this.#layout(runId)));
  }

  async repair(runId: RunId, options: { dryRun: boolean; stamp: string }): Promise<RepairReport> {
    return repairJournal(this.#files, this.#layout(runId), options);
  }

  archived(): FileJournalStore {
    return new FileJournalStore({ ...this.#options, runsDir: archiveDirOf(this.#runsDir) });
  }

  async archive(runId: RunId, head: Head): Promise<string | undefined> {
    const layout = this.#layout(runId);
    this.#logs.delete(runId);
    return archiveRunDirectory(this.#files, { runId, from: layout.root, toDir: archiveDirOf(this.#runsDir), head });
  }

  async restore(runId: RunId): Promise<string> {
    const archived = this.archived();
    const { root } = archived.#layout(runId);
    return restoreRunDirectory(this.#files, { runId, from: root, toDir: this.#runsDir });
  }

  async sizeOf(runId: RunId): Promise<number> {
    return treeBytes(this.#layout(runId).root);
  }

  async remove(runId: RunId, head: Head): Promise<boolean> {
    const { root } = this.#layout(runId);
    this.#logs.delete(runId);
    return removeRunDirectory(this.#files, root, head);
  }

  async sweep(options: { before: Date; dryRun: boolean }): Promise<Leftover[]> {
    const own = (await this.list()).filter(({ foreign }) => !foreign).map(({ runDir }) => runDir);
    return sweepLeftovers(this.#files, { ...options, runsDir: this.#runsDir, own });
  }

  watch(runId: RunId, onChange: () => void): () => void {
    return watchJournal(this.runDir(runId), onChange);
  }

  #defer(deferred: Map<RunId, JournalEvent[]>, runId: RunId, events: JournalEvent[]): void {
    const waiting = deferred.get(runId);
    if (waiting === undefined) deferred.set(runId, [...events]);
    else waiting.push(...events);
  }

  #log(runId: RunId): EventLog {
    let log = this.#logs.get(runId);
    if (log === undefined) {
      log = new EventLog(this.#files, this.#layout(runId));
      this.#logs.set(runId, log);
    }
    return log;
  }

  #layout(runId: RunId): RunLayout {
    const layout = runLayout(this.runDir(runId));
    // Only this program writes a summary there; looking at the journal's many names can be saved.
    if (this.#logs.has(runId) || this.#files.fs.existsSync(layout.summary)) return layout;
    if (!this.#looksLikeRun(layout.root)) throw runNotFound(runId, this.#runsDir);
    if (!this.#isOurs(layout.root)) throw foreignRun(runId, layout.root);
    return layout;
  }

  /** A run that is put aside or deleted while it is read looks damaged; it is only gone. */
  #reading<T>(runId: RunId, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#looksLikeRun(this.runDir(runId)) ? error : runNotFound(runId, this.#runsDir);
    }
  }

  #looksLikeRun(dir: string): boolean {
    return (
      this.#files.fs.existsSync(path.join(dir, "run.json")) || this.#files.fs.existsSync(path.join(dir, "journal"))
    );
  }

  /** Other tools use the same directory layout; only our runs know the rules they are replayed by. */
  #isOurs(dir: string): boolean {
    const journal = path.join(dir, "journal");
    if (typeof this.#jsonField(path.join(dir, "run.json"), "semantics") === "number") return true;
    const first = this.#names(journal).find((name) => parseEventFileName(name)?.seq === 1);
    return first !== undefined && typeof this.#jsonField(path.join(journal, first), "format") === "number";
  }

  #names(dir: string): string[] {
    try {
      return this.#files.fs.readdirSync(dir);
    } catch {
      return [];
    }
  }

  #jsonField(file: string, field: string): unknown {
    try {
      const document: unknown = JSON.parse(this.#files.fs.readFileSync(file, "utf8"));
      return isJsonObject(document) ? document[field] : undefined;
    } catch {
      return undefined;
    }
  }
}

function isRunId(name: string): boolean {
  try {
    return parseRunId(name) === name;
  } catch {
    return false;
  }
}

function runNotFound(runId: RunId, runsDir: string): BabysitterError {
  return new BabysitterError("RUN_NOT_FOUND", `There is no run ${runId} in ${runsDir}.`, {
    hint: "`babysitter run:list` shows the runs that exist; --runs-dir or RUNS_DIR choose another place.",
    details: { runId, runsDir },
  });
}

function foreignRun(runId: RunId, runDir: string): BabysitterError {
  return new BabysitterError("FOREIGN_RUN", `${runDir} was made by another tool.`, {
    hint: "Its journal is not in this program's format; create a new run for the process instead.",
    details: { runId, runDir },
  });
}
