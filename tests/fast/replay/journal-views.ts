/** What tests of replay want to know about a run's journal, and the tasks that their processes ask for. */
import type { EventType, JournalEvent } from "../../../packages/sdk/src/model/events.js";
import { defineTask } from "../../../packages/sdk/src/replay/task-definition.js";
import type { TestRun } from "../../../packages/sdk/src/testing/index.js";

/** A task that tests answer by hand. */
export const work = defineTask<unknown, never>("work", () => ({ kind: "node", node: { entry: "./work.js" } }));

/** Another one. */
export const other = defineTask<unknown, never>("other", () => ({ kind: "node", node: { entry: "./other.js" } }));

export async function eventsOf<T extends EventType>(
  run: TestRun,
  type: T,
): Promise<Extract<JournalEvent, { type: T }>[]> {
  return (await run.events()).filter((event) => event.type === type) as Extract<JournalEvent, { type: T }>[];
}

/** Invocation keys of all requests, in journal order. */
export async function requestedKeys(run: TestRun): Promise<string[]> {
  return (await eventsOf(run, "EFFECT_REQUESTED")).map(({ invocationKey }) => invocationKey ?? "");
}

/** Invocation keys of what is pending, in the order of their requests. */
export async function pendingKeys(run: TestRun): Promise<string[]> {
  return Object.values((await run.journal()).summary.pending).map(({ invocationKey }) => invocationKey);
}

/** Messages of all logged lines, in journal order. */
export async function loggedLines(run: TestRun): Promise<string[]> {
  return (await eventsOf(run, "PROCESS_LOGGED")).flatMap(({ payload }) =>
    payload.entries.map(({ message }) => message),
  );
}

export async function eventTypes(run: TestRun): Promise<string[]> {
  return (await run.events()).map(({ type }) => type);
}

export function ok(value: unknown): { status: "ok"; value: unknown } {
  return { status: "ok", value };
}

export function failure(message: string): { status: "error"; error: { name: string; message: string } } {
  return { status: "error", error: { name: "Error", message } };
}
