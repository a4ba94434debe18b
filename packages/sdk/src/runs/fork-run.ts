import { blobRef, blobsOf, spillValues } from "../journal/rules/blobs.js";
import { BabysitterError } from "../model/errors.js";
import { EVENT_RULES } from "../model/event-rules.js";
import type { EventDraft, JournalEvent, LogEntry, RunCreated } from "../model/events.js";
import { isKnownType } from "../model/events.js";
import { makeRunId, parseRunId, type RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import { hasProcess } from "../model/run-state.js";
import type { Place } from "../model/store.js";
import { effectIdOf } from "../replay/identity.js";
import { sealNext } from "./begin-run.js";
import { manifestOf, storedManifest } from "./code-version.js";
import type { CreatedRun } from "./create-run.js";
import { noProcess } from "./no-process.js";
import { RunJournal } from "./run-journal.js";

/** Copies a run's events up to `at` into a new run, which continues from there with today's code. */
export async function forkRun(
  ports: Ports,
  request: { runId: RunId; at: number; forkId: string | undefined },
): Promise<CreatedRun & { forkedFrom: { runId: RunId; at: number } }> {
  const { store, workspace } = ports;
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
  const original = (first as Extract<JournalEvent, { type: "RUN_CREATED" }>).payload;
  if (!hasProcess(original) && !rest.some(({ type }) => type === "PROCESS_ATTACHED")) throw noProcess(request.runId);
  const code = source.inspectCode({ afresh: true }).snapshot();
  const { payload, texts } = await spilled({
    ...original,
    runId,
    forkedFrom: { runId: request.runId, at: request.at },
    // It continues with today's code, and whoever forks it agrees to that.
    codeHash: code.hash,
    manifest: storedManifest(manifestOf(code)),
    // Its questions are for the same people: a copy would be the easiest way around them.
    ...defined({ session: original.session ?? source.summary.loop?.sessions.at(-1) }),
  });
  const draft: EventDraft = { type: "RUN_CREATED", timestamp: (first as JournalEvent).timestamp, payload };
  const { codeHash, manifest } = payload;
  const current = rest.map((event) =>
    event.type === "PROCESS_ATTACHED"
      ? { ...event, payload: { ...event.payload, codeHash, ...defined({ manifest }) } }
      : event,
  );
  const events = copyEvents(runId, sealNext(runId, undefined, draft), current);
  await store.create(runId, events, { blobs: blobsFrom(source, events, texts), code });
  await copyLogs(source, runId, rest);
  return {
    runId,
    runDir: workspace.runDir(runId),
    processId: created.processId,
    entry: `${created.entry.path}#${created.entry.export}`,
    forkedFrom: { runId: request.runId, at: request.at },
  };
}

/** Sequence numbers shift where events are left behind: whatever points to one is moved along. */
function copyEvents(forkId: RunId, first: JournalEvent, events: JournalEvent[]): JournalEvent[] {
  const moved: Moved = { seqs: new Map([[0, 0]]), places: new Map() };
  const copies = [first];
  for (const event of events) {
    if (isKnownType(event.type) && EVENT_RULES[event.type].fork === "leave") continue;
    const copy = sealNext(forkId, copies.at(-1), copyOf(forkId, event, moved));
    copies.push(copy);
    moved.seqs.set(event.seq, copy.seq);
    moved.places.set(event.seq, copy);
  }
  return copies;
}

/** Large values, one at a time: together they may be more than fits into memory. */
async function* blobsFrom(
  { ports, runId }: RunJournal,
  events: JournalEvent[],
  own: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  for (const blob of new Set(events.flatMap(blobsOf))) yield own.get(blob) ?? (await ports.store.getBlob(runId, blob));
}

/** With large values as blobs, and the texts of these. */
async function spilled(payload: RunCreated): Promise<{ payload: RunCreated; texts: Map<string, string> }> {
  const texts = new Map<string, string>();
  const draft: EventDraft & { type: "RUN_CREATED" } = { type: "RUN_CREATED", timestamp: "", payload };
  const small = await spillValues(draft, async (text) => {
    const ref = blobRef(text);
    texts.set(ref.blob, text);
    return ref;
  });
  return { payload: small.payload, texts };
}

/** Logs are no part of the journal; they come along as far as they are there. */
async function copyLogs(source: RunJournal, forkId: RunId, events: JournalEvent[]): Promise<void> {
  const { workspace } = source.ports;
  for (const event of events) {
    if (event.type !== "EFFECT_RESOLVED") continue;
    for (const name of ["stdout.log", "stderr.log"] as const) {
      const text = await workspace.readLog(source.runId, event.effectId, name);
      if (text === undefined) continue;
      const effectId = effectIdOf(forkId, event.invocationKey);
      await workspace.writeLog(forkId, effectId, name, new TextEncoder().encode(text));
    }
  }
}

interface Moved {
  seqs: Map<number, number>;
  places: Map<number, Place>;
}

function copyOf(forkId: RunId, event: JournalEvent, moved: Moved): EventDraft {
  const { type, timestamp, invocationKey, taskId } = event;
  const payload = movedPayload({ ...event.payload }, moved);
  if (invocationKey === undefined) return { type, payload, timestamp } as unknown as EventDraft;
  const effectId = effectIdOf(forkId, invocationKey);
  for (const name of ["stdoutRef", "stderrRef"]) {
    const ref = payload[name];
    if (typeof ref === "string") payload[name] = ref.replace(`tasks/${event.effectId}/`, `tasks/${effectId}/`);
  }
  return { type, payload, timestamp, effectId, invocationKey, taskId } as unknown as EventDraft;
}

function movedPayload(payload: Record<string, unknown>, { seqs, places }: Moved): Record<string, unknown> {
  const move = (seq: unknown): unknown => (typeof seq === "number" ? (seqs.get(seq) ?? seq) : seq);
  for (const name of ["after", "resolution"]) if (name in payload) payload[name] = move(payload[name]);
  if (Array.isArray(payload["entries"])) {
    payload["entries"] = (payload["entries"] as LogEntry[]).map((entry) => ({ ...entry, after: move(entry.after) }));
  }
  const request = places.get(payload["requestSeq"] as number);
  return request === undefined ? payload : { ...payload, requestSeq: request.seq, requestId: request.id };
}
