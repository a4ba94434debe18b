import { blobRef, openBlob } from "../journal/rules/blobs.js";
import { brokenEvent, eventFile, nextPlace, openEvent, renderEvent } from "../journal/rules/chain.js";
import { refuseStaleFence, runExists, runNotFound } from "../journal/rules/refusals.js";
import type { Head, JournalEvent } from "../model/events.js";
import { parseRunId, type RunId } from "../model/ids.js";
import type { AppendAnswer, BlobRef, EventStore, Place, RunExtras, RunListing } from "../model/store.js";

interface MemoryRun {
  /** As files would have them, so that nobody can change what is recorded. */
  texts: string[];
  head: Head;
  blobs: Map<string, string>;
  /** The newest lease that was heard of. */
  fence: number;
  watchers: Set<() => void>;
}

/** Journals in memory, for tests of processes: no files, the same rules. */
export class MemoryEventStore implements EventStore {
  readonly #runs = new Map<RunId, MemoryRun>();

  async create(runId: RunId, events: readonly JournalEvent[], extras: RunExtras = {}): Promise<void> {
    const id = parseRunId(runId);
    const blobs = new Map<string, string>();
    for await (const text of extras.blobs ?? []) blobs.set(blobRef(text).blob, text);
    if (this.#runs.has(id)) throw runExists(id);
    const head = events.at(-1);
    if (head === undefined) throw brokenEvent("journal/", "its first event is missing");
    this.#runs.set(id, { texts: events.map(renderEvent), head, blobs, fence: 0, watchers: new Set() });
  }

  async exists(runId: RunId): Promise<boolean> {
    return this.#runs.has(parseRunId(runId));
  }

  async list(): Promise<RunListing[]> {
    return [...this.#runs.keys()].map((runId) => ({ runId, foreign: false }));
  }

  async read(runId: RunId, after: Head | undefined): Promise<JournalEvent[] | undefined> {
    const { texts } = this.#run(runId);
    if (after !== undefined && this.#eventAt(runId, after.seq)?.checksum !== after.checksum) return undefined;
    let last = after;
    return texts.slice(after?.seq ?? 0).map((text) => {
      const place = last === undefined ? (JSON.parse(text) as Place) : nextPlace(last);
      last = openEvent(text, place, last?.checksum ?? null);
      return last as JournalEvent;
    });
  }

  async readAt(runId: RunId, place: Place): Promise<JournalEvent> {
    const event = this.#eventAt(runId, place.seq);
    if (event?.id !== place.id) throw brokenEvent(eventFile(place), "it is missing");
    return event;
  }

  async append(
    runId: RunId,
    events: readonly JournalEvent[],
    { fence }: { fence?: number } = {},
  ): Promise<AppendAnswer> {
    const run = this.#run(runId);
    if (fence !== undefined) {
      refuseStaleFence(runId, fence, run.fence);
      run.fence = fence;
    }
    const [first] = events;
    if (first === undefined) return { appended: 0, conflict: false };
    if (first.seq !== run.head.seq + 1 || first.prev !== run.head.checksum) return { appended: 0, conflict: true };
    run.texts.push(...events.map(renderEvent));
    run.head = events.at(-1) ?? run.head;
    for (const onChange of run.watchers) onChange();
    return { appended: events.length, conflict: false };
  }

  async putBlob(runId: RunId, text: string): Promise<BlobRef> {
    const ref = blobRef(text);
    this.#run(runId).blobs.set(ref.blob, text);
    return ref;
  }

  async getBlob(runId: RunId, blob: string): Promise<string> {
    const { blobs } = this.#run(runId);
    return openBlob(blob, () => blobs.get(blob));
  }

  watch(runId: RunId, onChange: () => void): () => void {
    const { watchers } = this.#run(runId);
    watchers.add(onChange);
    return () => void watchers.delete(onChange);
  }

  #eventAt(runId: RunId, seq: number): JournalEvent | undefined {
    const text = this.#run(runId).texts[seq - 1];
    return text === undefined ? undefined : openEvent(text, JSON.parse(text) as Place, undefined);
  }

  #run(runId: RunId): MemoryRun {
    const run = this.#runs.get(parseRunId(runId));
    if (run === undefined) throw runNotFound(runId);
    return run;
  }
}
