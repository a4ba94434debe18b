/** Ports that tell what is read and written through them. */
import type { Head, JournalEvent } from "../model/events.js";
import type { Ports, ProcessLoader } from "../model/ports.js";
import type { EventStore } from "../model/store.js";
import type { Trace } from "./caller.js";

export function tracedPorts(ports: Ports, trace: Trace): Ports {
  return { ...ports, store: tracedStore(ports.store, trace), loader: tracedLoader(ports.loader, trace) };
}

function tracedStore(store: EventStore, trace: Trace): EventStore {
  const known = new Set<string>();
  return {
    create: (runId, events, extras) => store.create(runId, events, extras),
    exists: (runId) => store.exists(runId),
    list: () => store.list(),
    read: async (runId, after, options) => {
      const events = await store.read(runId, after, options);
      // Whoever waits looks again and again.
      if (events?.length !== 0 || !known.has(runId)) trace(`${runId}: read ${described(events, after)}`);
      known.add(runId);
      return events;
    },
    ...(store.walk === undefined ? {} : { walk: store.walk.bind(store) }),
    readAt: (runId, place) => store.readAt(runId, place),
    append: async (runId, events, options) => {
      const answer = await store.append(runId, events, options);
      const types = events.slice(0, answer.appended).map(({ type }) => type);
      if (types.length > 0) trace(`${runId}: wrote ${types.join(", ")}`);
      return answer;
    },
    putBlob: (runId, text) => store.putBlob(runId, text),
    getBlob: (runId, blob) => store.getBlob(runId, blob),
    watch: (runId, onChange) => store.watch(runId, onChange),
  };
}

function tracedLoader(loader: ProcessLoader, trace: Trace): ProcessLoader {
  return {
    inspect: (entry, cacheDir) => {
      const code = loader.inspect(entry, cacheDir);
      return {
        hash: code.hash,
        snapshot: () => code.snapshot(),
        load: async () => {
          const loaded = await code.load();
          trace(`loaded ${entry.file}`);
          return loaded;
        },
      };
    },
  };
}

function described(events: readonly JournalEvent[] | undefined, after: Head | undefined): string {
  const count = `${events?.length ?? 0} ${events?.length === 1 ? "event" : "events"}`;
  return after === undefined ? count : `${count} after event ${after.seq}`;
}
