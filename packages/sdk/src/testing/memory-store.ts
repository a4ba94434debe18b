import { BabysitterError } from "../model/errors.js";
import { EVENT_FORMAT, type EventDraft, type Head, type JournalEvent } from "../model/events.js";
import { type EffectId, parseRunId, type RunId } from "../model/ids.js";
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
} from "../model/ports.js";
import type { ReplayIndex } from "../model/run-state.js";
import { VERSION } from "../model/version.js";

interface MemoryRun {
  watchers: Set<() => void>;
  events: JournalEvent[];
  blobs: Map<string, string>;
  files: Map<string, string>;
}

/** Journals in memory, for tests of processes: no files, no caches, the same rules. */
export class MemoryJournalStore implements JournalStore {
  readonly #runs = new Map<RunId, MemoryRun>();
  #archived: MemoryJournalStore | undefined;

  async create(
    runId: RunId,
    first: EventDraft & { type: "RUN_CREATED" },
    _code: CodeSnapshot,
    fill?: Fill,
  ): Promise<void> {
    if (this.#runs.has(runId)) throw new BabysitterError("RUN_EXISTS", `Run ${runId} exists already.`);
    const events = [sealed(first, undefined)];
    await fill?.((draft) => {
      const event = sealed(draft, events.at(-1));
      events.push(event);
      return event;
    });
    this.#runs.set(runId, { events, blobs: new Map(), files: new Map(), watchers: new Set() });
  }

  async exists(runId: RunId): Promise<boolean> {
    return this.#runs.has(runId);
  }

  async list(): Promise<RunListing[]> {
    return [...this.#runs.keys()].map((runId) => ({
      runId: parseRunId(runId),
      runDir: this.runDir(runId),
      foreign: false,
    }));
  }

  runDir(runId: RunId): string {
    return `/memory/runs/${runId}`;
  }

  async read(runId: RunId, after: Head | undefined): Promise<JournalEvent[] | undefined> {
    return this.#run(runId).events.slice(after?.seq ?? 0);
  }

  async readAt(runId: RunId, place: { seq: number }): Promise<JournalEvent> {
    const event = this.#run(runId).events[place.seq - 1];
    if (event === undefined) throw new BabysitterError("JOURNAL_BROKEN", `Event ${place.seq} is missing.`);
    return event;
  }

  async append(runId: RunId, head: Head, drafts: EventDraft[]): Promise<AppendResult> {
    const { events, watchers } = this.#run(runId);
    if (events.length !== head.seq) return { events: [], conflict: true };
    const appended = drafts.map((draft) => {
      const event = sealed(draft, events.at(-1));
      events.push(event);
      return event;
    });
    for (const onChange of watchers) onChange();
    return { events: appended, conflict: false };
  }

  async sync(): Promise<void> {}

  async putBlob(runId: RunId, text: string): Promise<{ blob: string; bytes: number }> {
    const { blobs } = this.#run(runId);
    const blob = `memory-${blobs.size + 1}`;
    blobs.set(blob, text);
    return { blob, bytes: text.length };
  }

  async getBlob(runId: RunId, blob: string): Promise<string> {
    return this.#run(runId).blobs.get(blob) ?? "null";
  }

  async writeTaskFile(
    runId: RunId,
    effectId: EffectId,
    name: "stdout.log" | "stderr.log",
    content: Uint8Array,
  ): Promise<string> {
    const file = `tasks/${effectId}/${name}`;
    this.#run(runId).files.set(file, new TextDecoder().decode(content));
    return file;
  }

  async readTaskFile(runId: RunId, effectId: EffectId, name: "stdout.log" | "stderr.log"): Promise<string | undefined> {
    return this.#run(runId).files.get(`tasks/${effectId}/${name}`);
  }

  async readLogTail(
    runId: RunId,
    effectId: EffectId,
    name: "stdout.log" | "stderr.log",
    maxBytes: number,
  ): Promise<LogTail | undefined> {
    const text = await this.readTaskFile(runId, effectId, name);
    if (text === undefined) return undefined;
    return { text: text.slice(-maxBytes), bytes: text.length, truncated: text.length > maxBytes };
  }

  async listLogs(runId: RunId, effectId: EffectId): Promise<{ file: string; bytes: number }[]> {
    const files = [...this.#run(runId).files].filter(([file]) => file.startsWith(`tasks/${effectId}/`));
    return files.map(([file, text]) => ({ file, bytes: text.length }));
  }

  async readSummary(): Promise<SummarySnapshot | undefined> {
    return undefined;
  }

  async writeSummary(): Promise<void> {}

  async readIndex(): Promise<ReplayIndex | undefined> {
    return undefined;
  }

  async hasIndex(): Promise<boolean> {
    return false;
  }

  async writeIndex(): Promise<void> {}

  async flushViews(): Promise<void> {}

  async restoreViews(): Promise<void> {}

  async check(runId: RunId): Promise<JournalReport> {
    const { events } = this.#run(runId);
    return { events: events.length, head: events.at(-1), findings: [] };
  }

  async repair(runId: RunId): Promise<RepairReport> {
    return { moved: [], backup: undefined, events: this.#run(runId).events.length };
  }

  archived(): MemoryJournalStore {
    return (this.#archived ??= new MemoryJournalStore());
  }

  async archive(runId: RunId, head: Head): Promise<string | undefined> {
    return this.#run(runId).events.length === head.seq ? this.#move(runId, this, this.archived()) : undefined;
  }

  async restore(runId: RunId): Promise<string> {
    return this.#move(runId, this.archived(), this);
  }

  async sizeOf(runId: RunId): Promise<number> {
    return JSON.stringify(this.#run(runId).events).length;
  }

  async remove(runId: RunId, head: Head): Promise<boolean> {
    return this.#run(runId).events.length === head.seq && this.#runs.delete(runId);
  }

  async sweep(): Promise<Leftover[]> {
    return [];
  }

  watch(runId: RunId, onChange: () => void): () => void {
    const { watchers } = this.#run(runId);
    watchers.add(onChange);
    return () => void watchers.delete(onChange);
  }

  #move(runId: RunId, from: MemoryJournalStore, to: MemoryJournalStore): string {
    const run = from.#run(runId);
    if (to.#runs.has(runId)) throw new BabysitterError("RUN_EXISTS", `Run ${runId} exists already.`);
    to.#runs.set(runId, run);
    from.#runs.delete(runId);
    return to.runDir(runId);
  }

  #run(runId: RunId): MemoryRun {
    const run = this.#runs.get(runId);
    if (run === undefined) throw new BabysitterError("RUN_NOT_FOUND", `There is no run ${runId}.`);
    return run;
  }
}

function sealed(draft: EventDraft, before: JournalEvent | undefined): JournalEvent {
  const seq = (before?.seq ?? 0) + 1;
  const frame = {
    seq,
    id: `memory-${seq}`,
    format: EVENT_FORMAT,
    writer: VERSION,
    prev: before?.checksum ?? null,
    checksum: `memory-${seq}`,
  };
  return JSON.parse(JSON.stringify({ ...frame, ...draft })) as JournalEvent;
}
