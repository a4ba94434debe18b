/** What the contract of stores is written with: sealed events to store, and checks that need no test framework. */
import { sealBehind, sealFirst } from "../journal/rules/chain.js";
import type { ErrorCode } from "../model/error-codes.js";
import { BabysitterError } from "../model/errors.js";
import { type EventDraft, type Head, type JournalEvent, REPLAY_SEMANTICS } from "../model/events.js";
import type { RunId } from "../model/ids.js";
import type { EventStore } from "../model/store.js";

const TIME = "2026-01-01T00:00:00.000Z";

/** The first event of a run; `seed` makes it another one. */
export function firstEvent(runId: RunId, seed = "seed"): JournalEvent {
  return sealFirst(runId, {
    type: "RUN_CREATED",
    timestamp: TIME,
    payload: {
      runId,
      processId: "contract/process",
      entry: { path: "process.js", export: "process" },
      projectRoot: "..",
      inputs: { value: {} },
      codeHash: "code",
      semantics: REPLAY_SEMANTICS,
      seed,
    },
  });
}

/** An event that says nothing but its name. */
export function note(name: string, timestamp = TIME): EventDraft {
  return { type: "RUN_REOPENED", timestamp, payload: { reason: "retry", codeHash: name } };
}

/** Notes behind `head`, sealed as one batch. */
export function notesBehind(head: Head, ...names: string[]): JournalEvent[] {
  return sealBehind(
    head,
    names.map((name) => note(name)),
  );
}

/** A run with its first event; answers that. */
export async function begin(store: EventStore, runId: RunId): Promise<JournalEvent> {
  const first = firstEvent(runId);
  await store.create(runId, [first]);
  return first;
}

export async function readAll(store: EventStore, runId: RunId): Promise<JournalEvent[]> {
  return (await store.read(runId, undefined)) ?? [];
}

export function check(condition: boolean, expected: string): void {
  if (!condition) throw new Error(`Expected: ${expected}.`);
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: expected ${brief(should)}, not ${brief(is)}.`);
}

/** Sees that something is refused with this code. */
export async function refused(code: ErrorCode, what: string, doing: () => Promise<unknown>): Promise<void> {
  let answer: unknown;
  try {
    answer = await doing();
  } catch (error) {
    if (BabysitterError.is(error) && error.code === code) return;
    throw new Error(`${what}: expected ${code}, not ${String(error)}.`, { cause: error });
  }
  throw new Error(`${what}: expected ${code}, but it returned: ${brief(JSON.stringify(answer))}.`);
}

function brief(text: string | undefined): string {
  return text === undefined || text.length <= 300 ? String(text) : `${text.slice(0, 300)}…`;
}
