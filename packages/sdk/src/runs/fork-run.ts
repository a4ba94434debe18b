import { blobRef, blobsOf, spillValues } from "../journal/rules/blobs.js";
import { BabysitterError } from "../model/errors.js";
import { EVENT_RULES, isKnownType } from "../model/event-rules.js";
import type { EventDraft, JournalEvent, RunCreated } from "../model/events.js";
import { makeRunId, parseRunId, type RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import { beginIndex, foldIndex, type RecordedRequest } from "../model/replay-index.js";
import { beginSummary, foldSummary, hasProcess } from "../model/run-state.js";
import type { Place } from "../model/store.js";
import { effectIdOf } from "../replay/identity.js";
import { sealNext } from "./begin-run.js";
import { manifestOf, storedManifest } from "./code-version.js";
import type { CreatedRun } from "./create-run.js";
import { noProcess } from "./no-process.js";
import { retriedEffect } from "./retried-effect.js";
import { RunJournal } from "./run-journal.js";
import { hasFailed } from "./step-facts.js";

export interface ForkRequest {
  runId: RunId;
  /** The last event to keep, or the step to repeat. */
  from: { at: number } | { step: RecordedRequest };
  forkId?: string | undefined;
}

export type ForkedRun = CreatedRun & { forkedFrom: { runId: RunId; at: number } };

/**
 * Copies a run's events into a new run, which continues from there with today's code. What has no result in the copy
 * is requested anew, and so is a step that is to be repeated.
 */
export async function forkRun(ports: Ports, request: ForkRequest): Promise<ForkedRun> {
  const { store, workspace } = ports;
  const source = await RunJournal.open(ports, request.runId);
  const { created, head } = source.summary;
  const all = (await store.read(request.runId, undefined)) ?? [];
  const step = "step" in request.from ? request.from.step : undefined;
  const at = "at" in request.from ? request.from.at : lastUnaffected(all, request.from.step);
  if (at < 1 || at > head.seq) {
    throw new BabysitterError(
      "USAGE",
      `Run ${request.runId} has events 1 to ${head.seq}; it cannot be forked at ${at}.`,
    );
  }
  const runId =
    request.forkId === undefined
      ? makeRunId(created.processId, ports.clock.now(), ports.randomHex(3))
      : parseRunId(request.forkId);
  const [first, ...rest] = all.slice(0, at);
  const original = (first as Extract<JournalEvent, { type: "RUN_CREATED" }>).payload;
  if (!hasProcess(original) && !rest.some(({ type }) => type === "PROCESS_ATTACHED")) throw noProcess(request.runId);
  const code = source.inspectCode({ afresh: true }).snapshot();
  const { payload, texts } = await spilled({
    ...original,
    runId,
    forkedFrom: { runId: request.runId, at },
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
  const copies = copyEvents(runId, sealNext(runId, undefined, draft), current);
  const events = [...copies, ...requestedAnew(runId, copies, { step, timestamp: ports.clock.now().toISOString() })];
  await store.create(runId, events, { blobs: blobsFrom(source, events, texts), code });
  await copyLogs(source, runId, rest);
  return {
    runId,
    runDir: workspace.runDir(runId),
    processId: created.processId,
    entry: `${created.entry.path}#${created.entry.export}`,
    forkedFrom: { runId: request.runId, at },
  };
}

/** The last event before the process did anything about the result of a step. */
function lastUnaffected(events: readonly JournalEvent[], { resolution }: RecordedRequest): number {
  const last = events.at(-1)?.seq ?? 0;
  if (resolution === undefined) return last;
  const affected = events.find(
    ({ type, payload }) => (type === "EFFECT_REQUESTED" || type === "PATCH_MARKED") && payload.after >= resolution.seq,
  );
  return affected === undefined ? last : affected.seq - 1;
}

/** Sleeps go on; everything else that is not done is built by today's code. A step is repeated with what failed beside it. */
function requestedAnew(
  forkId: RunId,
  copies: readonly JournalEvent[],
  { step, timestamp }: { step: RecordedRequest | undefined; timestamp: string },
): JournalEvent[] {
  const [first, ...rest] = copies as [Extract<JournalEvent, { type: "RUN_CREATED" }>, ...JournalEvent[]];
  const index = beginIndex(first);
  const summary = beginSummary(first);
  for (const event of rest) {
    foldIndex(index, event);
    foldSummary(summary, event);
  }
  const { lastAfter, pending } = summary;
  const isRepeated = ({ invocationKey, resolution, kind }: RecordedRequest): boolean => {
    if (resolution === undefined || step === undefined) return false;
    return invocationKey === step.invocationKey || (hasFailed({ kind, resolution }) && resolution.seq > lastAfter);
  };
  const events: JournalEvent[] = [];
  for (const request of Object.values(index.requests)) {
    const { attempt } = pending[request.effectId] ?? {};
    if (attempt === undefined ? !isRepeated(request) : request.kind === "sleep") continue;
    const draft = retriedEffect(request, { timestamp, ...defined({ attempt }) });
    events.push(sealNext(forkId, events.at(-1) ?? copies.at(-1), draft));
  }
  return events;
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
  for (const name of ["entries", "fired"]) {
    const list = payload[name] as { after: number }[] | undefined;
    if (Array.isArray(list)) payload[name] = list.map((entry) => ({ ...entry, after: move(entry.after) }));
  }
  const request = places.get(payload["requestSeq"] as number);
  return request === undefined ? payload : { ...payload, requestSeq: request.seq, requestId: request.id };
}
