import { BabysitterError } from "../model/errors.js";
import type { JournalStore } from "../model/ports.js";

/**
 * A store through which nothing can be written, not even a cache: what is read is folded afresh. Blobs that
 * a process makes while it is replayed are forgotten.
 */
export function readOnlyStore(store: JournalStore): JournalStore {
  return {
    create: refuse,
    append: refuse,
    repair: refuse,
    archive: refuse,
    restore: refuse,
    remove: refuse,
    sweep: refuse,
    writeTaskFile: refuse,
    putBlob: async (text) => ({ blob: "not-stored", bytes: text.length }),
    sync: nothing,
    readSummary: nothing,
    writeSummary: nothing,
    readIndex: nothing,
    hasIndex: async () => false,
    writeIndex: nothing,
    flushViews: nothing,
    restoreViews: nothing,
    archived: () => readOnlyStore(store.archived()),
    exists: (runId) => store.exists(runId),
    list: () => store.list(),
    runDir: (runId) => store.runDir(runId),
    // Reading from the middle makes missing copies again; reading everything does not.
    read: async (runId, after) => {
      const events = await store.read(runId, undefined);
      if (after === undefined) return events;
      return events?.[after.seq - 1]?.checksum === after.checksum ? events.slice(after.seq) : undefined;
    },
    readAt: (runId, place) => store.readAt(runId, place),
    getBlob: (runId, blob) => store.getBlob(runId, blob),
    readTaskFile: (runId, effectId, name) => store.readTaskFile(runId, effectId, name),
    readLogTail: (runId, effectId, name, maxBytes) => store.readLogTail(runId, effectId, name, maxBytes),
    listLogs: (runId, effectId) => store.listLogs(runId, effectId),
    check: (runId) => store.check(runId),
    sizeOf: (runId) => store.sizeOf(runId),
    watch: (runId, onChange) => store.watch(runId, onChange),
  };
}

async function refuse(): Promise<never> {
  throw new BabysitterError("INTERNAL", "Something was to be written into a run that is only looked at.");
}

async function nothing(): Promise<undefined> {
  return undefined;
}
