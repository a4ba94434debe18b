import path from "node:path";
import type { JournalEvent } from "../../model/events.js";
import type { EffectId, RunId } from "../../model/ids.js";
import type { RunSummary } from "../../model/run-state.js";
import type { EventStore } from "../../model/store.js";
import type { LogName, LogTail, SourceFile, Workspace } from "../../model/workspace.js";
import { keepSources, readSource } from "./kept-sources.js";
import { runLayout, taskDir } from "./layout.js";
import { refuseFalseFolder } from "./own-folders.js";
import type { RunDirectories } from "./run-directories.js";
import { listTaskLogs, readTaskLogTail } from "./task-logs.js";
import { isTaskWhole, restoreRunViews, writeMissingViews, writeViews } from "./views.js";

/**
 * When readable copies are written: with every event, or together now and then. Each small file beside a
 * journal makes the next sync dearer, so runs that stay open put them off.
 */
export type ViewTiming = "at-once" | "deferred";

export class FileWorkspace implements Workspace {
  readonly #runs: RunDirectories;
  readonly #store: EventStore;
  readonly #deferred: Map<RunId, JournalEvent[]> | undefined;

  constructor(runs: RunDirectories, store: EventStore, views: ViewTiming) {
    this.#runs = runs;
    this.#store = store;
    this.#deferred = views === "deferred" ? new Map() : undefined;
  }

  runDir(runId: RunId): string {
    return this.#runs.dirOf(runId);
  }

  taskDir(runId: RunId, effectId: EffectId): string {
    const dir = taskDir(runLayout(this.runDir(runId)), effectId);
    refuseFalseFolder(this.#runs.files, dir);
    return dir;
  }

  async writeLog(runId: RunId, effectId: EffectId, name: LogName, content: Uint8Array): Promise<void> {
    const { files } = this.#runs;
    const dir = taskDir(this.#runs.layoutOf(runId), effectId);
    refuseFalseFolder(files, dir);
    await this.#runs.writing(runId, () => {
      files.makeDirBelow(this.runDir(runId), dir);
      files.write(path.join(dir, name), content);
    });
  }

  async readLog(runId: RunId, effectId: EffectId, name: LogName): Promise<string | undefined> {
    return this.#runs.files.textOf(path.join(this.taskDir(runId, effectId), name));
  }

  async readLogTail(runId: RunId, effectId: EffectId, name: LogName, maxBytes: number): Promise<LogTail | undefined> {
    return readTaskLogTail(path.join(this.taskDir(runId, effectId), name), maxBytes);
  }

  async listLogs(runId: RunId, effectId: EffectId): Promise<{ file: string; bytes: number }[]> {
    const logs = listTaskLogs(this.taskDir(runId, effectId));
    return logs.map(({ name, bytes }) => ({ file: `tasks/${effectId}/${name}`, bytes }));
  }

  async keepSources(runId: RunId, sources: readonly (SourceFile & { text: string })[]): Promise<void> {
    keepSources(this.#runs.files, this.#runs.layoutOf(runId), sources);
  }

  async readSource(runId: RunId, source: SourceFile): Promise<string | undefined> {
    return readSource(this.#runs.files, this.#runs.layoutOf(runId), source);
  }

  async showEvents(runId: RunId, events: readonly JournalEvent[], whose: "ours" | "others"): Promise<void> {
    if (whose === "ours" && this.#deferred !== undefined) {
      const waiting = this.#deferred.get(runId);
      if (waiting === undefined) this.#deferred.set(runId, [...events]);
      else waiting.push(...events);
      return;
    }
    const write = whose === "ours" ? writeViews : writeMissingViews;
    const layout = runLayout(this.runDir(runId));
    for (const event of events) write(this.#runs.files, layout, event);
  }

  async flushViews(runId: RunId): Promise<void> {
    const layout = runLayout(this.runDir(runId));
    // Others who have read the events may have written their copies.
    for (const event of this.#deferred?.get(runId) ?? []) writeMissingViews(this.#runs.files, layout, event);
    this.#deferred?.delete(runId);
  }

  async restoreViews(runId: RunId, summary: RunSummary): Promise<void> {
    const { files } = this.#runs;
    const layout = this.#runs.layoutOf(runId);
    restoreRunViews(files, layout, summary.created);
    if (!files.fs.existsSync(layout.tasks)) {
      for (const event of (await this.#store.read(runId, undefined)) ?? []) writeViews(files, layout, event);
      return;
    }
    for (const { effectId, request } of Object.values(summary.pending)) {
      if (!isTaskWhole(files, layout, effectId)) writeViews(files, layout, await this.#store.readAt(runId, request));
    }
  }
}
