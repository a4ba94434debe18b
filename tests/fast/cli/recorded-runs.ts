/** Journals written event by event, for commands that only care how a run ended and when. */
import { FileJournalStore, type FileStoreOptions } from "../../../packages/sdk/src/journal/file-store.js";
import type { EventDraft, EventPayloads, Head } from "../../../packages/sdk/src/model/events.js";
import { type EffectId, parseRunId } from "../../../packages/sdk/src/model/ids.js";

const DAY_MS = 24 * 60 * 60 * 1000;

export const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

export const EFFECT = "effect-1" as EffectId;

/** An event about the only effect of a recorded run. */
export function effectEvent<T extends Extract<keyof EventPayloads, `EFFECT_${string}`>>(
  type: T,
  timestamp: string,
  payload: EventPayloads[T],
): EventDraft {
  return { type, timestamp, payload, effectId: EFFECT, invocationKey: "work:1", taskId: "work" } as EventDraft;
}

export function requested(timestamp: string): EventDraft {
  return effectEvent("EFFECT_REQUESTED", timestamp, {
    kind: "shell",
    scope: "",
    argsHash: "0",
    after: 0,
    iteration: 1,
    definition: { value: { kind: "shell" } },
    args: { value: {} },
  });
}

const ENDS = {
  completed: {
    type: "RUN_COMPLETED",
    payload: { output: { value: "done" }, completionProof: "proof", iteration: 1, abandoned: [] },
  },
  failed: {
    type: "RUN_FAILED",
    payload: { error: { name: "Error", message: "no luck" }, iteration: 1, codeHash: "code" },
  },
  cancelled: { type: "RUN_CANCELLED", payload: { reason: "enough" } },
} as const;

/** A run whose events all have the same time; without an end it is open. */
export async function recordRun(
  runsDir: string,
  name: string,
  { at, end, events = [] }: { at: string; end?: keyof typeof ENDS; events?: EventDraft[] },
): Promise<void> {
  const store = relaxedStore({ runsDir });
  const runId = parseRunId(name);
  const payload = {
    runId,
    processId: "test/p",
    entry: { path: "p.mjs", export: "process" },
    projectRoot: "../../..",
    inputs: { value: {} },
    codeHash: "code",
    semantics: 1,
    seed: "seed",
  };
  await store.create(runId, { type: "RUN_CREATED", timestamp: at, payload }, { files: [] });
  const last = end === undefined ? [] : [{ ...ENDS[end], timestamp: at } as EventDraft];
  await append(store, name, [...events, ...last]);
}

export function relaxedStore(options: FileStoreOptions): FileJournalStore {
  return new FileJournalStore({ durability: "relaxed", ...options });
}

/** Appends behind whatever is there. */
export async function append(store: FileJournalStore, name: string, drafts: EventDraft[]): Promise<void> {
  const runId = parseRunId(name);
  for (const draft of drafts) {
    const { conflict } = await store.append(runId, await headOfRun(store, name), [draft]);
    if (conflict) throw new Error(`${name} has another head`);
  }
}

export async function headOfRun(store: FileJournalStore, name: string): Promise<Head> {
  const { head } = await store.check(parseRunId(name));
  if (head === undefined) throw new Error(`${name} has no head`);
  return head;
}
