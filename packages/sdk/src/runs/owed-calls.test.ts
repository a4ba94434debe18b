import { expect, test } from "vitest";
import type { JournalEvent } from "../model/events.js";
import type { RunSummary } from "../model/run-state.js";
import { owedCalls, type Told } from "./owed-calls.js";

type Event = Partial<JournalEvent> & { type: JournalEvent["type"]; payload?: object };

/** Numbered from 1. */
const journal = (...events: Event[]): JournalEvent[] =>
  events.map((event, index) => ({ payload: {}, ...event, seq: index + 1 }) as JournalEvent);

const CREATED = { type: "RUN_CREATED", payload: { entry: {} } } as Event;
const requested = (effectId: string, kind = "shell") =>
  ({ type: "EFFECT_REQUESTED", effectId, payload: { kind } }) as Event;
const started = (effectId: string, attempt = 1) =>
  ({ type: "EFFECT_STARTED", effectId, payload: { attempt } }) as Event;
const posted = (effectId: string) =>
  ({ type: "EFFECT_RESOLVED", effectId, payload: { by: "post", status: "ok", attempt: 1 } }) as Event;
const opened = (effectId: string) => ({ type: "BREAKPOINT_OPENED", effectId }) as Event;
const called = (hookType: string, about?: string) =>
  ({ type: "HOOK_DISPATCHED", payload: { hookType, about } }) as Event;

function owed(
  events: JournalEvent[],
  since: number,
  tells: Told[] = ["process", "tasks"],
  pending: string[] = [],
): string[] {
  const summary = {
    created: { runId: "r" },
    pending: Object.fromEntries(pending.map((effectId) => [effectId, { effectId, kind: "breakpoint" }])),
  } as unknown as RunSummary;
  return owedCalls({ runDir: "/r", summary }, events, [{ since, tells }]).map((call) =>
    "question" in call ? `ask ${call.question}` : `${call.hookType} ${call.about ?? ""}`.trim(),
  );
}

test("what was called is not owed, what was not is, in the order of the events", () => {
  const events = journal(
    CREATED,
    requested("a"),
    requested("b"),
    called("on-step-dispatch", "a"),
    started("a"),
    posted("a"),
  );
  expect(owed(events, 1)).toEqual(["on-step-dispatch b", "on-task-start a", "on-task-complete a"]);
});

test("what came before the program began is not its business", () => {
  const events = journal(CREATED, requested("a"), posted("a"));
  expect(owed(events, 2)).toEqual(["on-task-complete a"]);
  expect(owed(events, 3)).toEqual([]);
});

test("each program owes only its part", () => {
  const events = journal(CREATED, requested("a"), started("a"), posted("a"));
  expect(owed(events, 1, ["process"])).toEqual(["on-step-dispatch a"]);
  expect(owed(events, 1, ["tasks"])).toEqual(["on-task-start a", "on-task-complete a"]);
});

test("a call stands for one event: a second attempt is told of by itself", () => {
  const events = journal(CREATED, requested("a"), started("a", 1), called("on-task-start", "a"), started("a", 2));
  expect(owed(events, 2)).toEqual(["on-task-start a"]);
});

test("an open question is owed until it is answered or somebody was told", () => {
  const asked = [CREATED, requested("q", "breakpoint"), opened("q")];
  expect(owed(journal(...asked), 2, ["process"], ["q"])).toEqual(["ask q"]);
  expect(owed(journal(...asked), 2, ["process"], [])).toEqual([]);
  expect(owed(journal(...asked, called("on-breakpoint", "q")), 2, ["process"], ["q"])).toEqual([]);
});

test("what is told late knows of the task what it would have known in time", () => {
  const summary = { created: { runId: "r" }, pending: {} } as unknown as RunSummary;
  const events = journal(CREATED, requested("a", "node"), posted("a"));
  const [call] = owedCalls({ runDir: "/r", summary }, events, [{ since: 2, tells: ["tasks"] }]);
  expect(call).toMatchObject({ payload: { kind: "node", effectId: "a", status: "ok" } });
});
