import { BabysitterError } from "../model/errors.js";
import { type EventDraft, type JournalEvent, STORED_FIELDS, type StoredValue } from "../model/events.js";
import { makeRunId, parseRunId, type RunId } from "../model/ids.js";
import { isJsonObject } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import { effectIdOf } from "../replay/identity.js";
import type { CreatedRun } from "./create-run.js";
import { RunJournal } from "./run-journal.js";

/** Events that describe how the original ended or stood; the copy goes its own way. */
const LEFT_BEHIND = new Set(["RUN_COMPLETED", "RUN_FAILED", "RUN_REOPENED", "RUN_BLOCKED"]);

/** Copies a run's events up to `at` into a new run, which goes on from there with today's code. */
export async function forkRun(
  ports: Ports,
  request: { runId: RunId; at: number; forkId: string | undefined },
): Promise<CreatedRun & { forkedFrom: { runId: RunId; at: number } }> {
  const { store } = ports;
  const source = await RunJournal.open(ports, request.runId);
  const { created } = source.summary;
  if (request.at < 1 || request.at > source.summary.head.seq) {
    throw new BabysitterError(
      "USAGE",
      `Run ${request.runId} has events 1 to ${source.summary.head.seq}; it cannot be forked at ${request.at}.`,
    );
  }
  const runId =
    request.forkId === undefined
      ? makeRunId(created.processId, ports.clock.now(), ports.randomHex(3))
      : parseRunId(request.forkId);
  const [first, ...rest] = ((await store.read(request.runId, undefined)) ?? []).slice(0, request.at);
  const { cacheDir: _, ...entry } = ports.locate(source.runDir, created);
  const payload = { ...(first as Extract<JournalEvent, { type: "RUN_CREATED" }>).payload, runId };
  await store.create(
    runId,
    {
      type: "RUN_CREATED",
      timestamp: (first as JournalEvent).timestamp,
      payload: {
        ...payload,
        inputs: await inlined(source, payload.inputs),
        forkedFrom: { runId: request.runId, at: request.at },
      },
    },
    ports.loader.inspect(entry, undefined).snapshot(),
  );
  await copyEvents(source, await RunJournal.open(ports, runId), rest);
  return {
    runId,
    runDir: store.runDir(runId),
    processId: created.processId,
    entry: `${created.entry.path}#${created.entry.export}`,
    forkedFrom: { runId: request.runId, at: request.at },
  };
}

/** Sequence numbers shift where events are left behind: whatever points to one is moved along. */
async function copyEvents(source: RunJournal, fork: RunJournal, events: JournalEvent[]): Promise<void> {
  const seqs = new Map<number, number>([[0, 0]]);
  const places = new Map<number, { seq: number; id: string }>();
  for (const event of events) {
    if (LEFT_BEHIND.has(event.type)) continue;
    const draft = await copyOf(source, fork, event, { seqs, places });
    const [copy] = await fork.commit((_summary, appended) => (appended.length > 0 ? [] : [draft]));
    seqs.set(event.seq, (copy as JournalEvent).seq);
    places.set(event.seq, copy as JournalEvent);
  }
  await fork.saveCaches();
}

interface Moved {
  seqs: Map<number, number>;
  places: Map<number, { seq: number; id: string }>;
}

async function copyOf(source: RunJournal, fork: RunJournal, event: JournalEvent, moved: Moved): Promise<EventDraft> {
  const { type, timestamp } = event;
  const payload = movedPayload({ ...event.payload }, moved);
  for (const name of STORED_FIELDS) {
    const field = payload[name];
    if (isJsonObject(field)) payload[name] = await inlined(source, field as StoredValue);
  }
  const { invocationKey, taskId } = event;
  const effect =
    invocationKey === undefined ? {} : { effectId: effectIdOf(fork.runId, invocationKey), invocationKey, taskId };
  return { type, payload, timestamp, ...effect } as unknown as EventDraft;
}

function movedPayload(payload: Record<string, unknown>, { seqs, places }: Moved): Record<string, unknown> {
  for (const name of ["after", "resolution"]) {
    const seq = payload[name];
    if (typeof seq === "number") payload[name] = seqs.get(seq) ?? seq;
  }
  const request = places.get(payload["requestSeq"] as number);
  return request === undefined ? payload : { ...payload, requestSeq: request.seq, requestId: request.id };
}

async function inlined(source: RunJournal, stored: StoredValue): Promise<StoredValue> {
  return { value: await source.valueOf(stored) };
}
