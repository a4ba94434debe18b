/** What is known of one step, from the events of its run. Pure. */
import type { JournalEvent, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { isContainer, isWhole, type Stored, storedIn } from "./json-shape.js";

/** The step that an event belongs to: events of other steps do not count, those of none belong to a turn, or nowhere. */
export function spanAt(
  spans: readonly TimelineSpan[],
  events: readonly JournalEvent[],
  seq: number | undefined,
): TimelineSpan | undefined {
  if (seq === undefined) return undefined;
  const id = events[seq - 1]?.effectId;
  return spans.find((span) => (id === undefined ? span.seq === seq || span.endSeq === seq : span.id === id));
}

/** The event by which the step after the chosen one is called, or before it. */
export function neighbourSpan(
  spans: readonly TimelineSpan[],
  events: readonly JournalEvent[],
  { seq, by }: { seq: number | undefined; by: 1 | -1 },
): number | undefined {
  const now = spanAt(spans, events, seq);
  const index = now === undefined ? (by === 1 ? -1 : spans.length) : spans.indexOf(now);
  return spans[index + by]?.seq;
}

export interface StepValue {
  what: "Arguments" | "Definition" | "Result";
  seq: number;
  field: string;
  stored: Stored;
}

/** The values of a step, in the order in which they are read. */
export function stepValues(events: readonly JournalEvent[], effectId: string): StepValue[] {
  const request = events.find((event) => event.type === "EFFECT_REQUESTED" && event.effectId === effectId);
  const result = events.findLast((event) => event.type === "EFFECT_RESOLVED" && event.effectId === effectId);
  return [
    ...valueIn(request, "args", "Arguments"),
    ...valueIn(request, "definition", "Definition"),
    ...valueIn(result, "result", "Result"),
  ];
}

function valueIn(event: JournalEvent | undefined, field: string, what: StepValue["what"]): StepValue[] {
  const stored = event === undefined ? undefined : storedIn(event.payload, field);
  return event === undefined || stored === undefined || isEmpty(stored)
    ? []
    : [{ what, seq: event.seq, field, stored }];
}

/** Most steps have no arguments besides their definition. */
function isEmpty(stored: Stored): boolean {
  return isWhole(stored) && isContainer(stored.value) && Object.keys(stored.value).length === 0;
}

/** The error of a step that has failed last. */
export function stepError(
  events: readonly JournalEvent[],
  effectId: string,
): { message: string; stack: string | undefined } | undefined {
  const last = events.findLast(
    (event) =>
      event.effectId === effectId && (event.type === "EFFECT_RESOLVED" || event.type === "EFFECT_ATTEMPT_FAILED"),
  );
  const error =
    last?.type === "EFFECT_RESOLVED" || last?.type === "EFFECT_ATTEMPT_FAILED" ? last.payload.error : undefined;
  if (error === undefined) return undefined;
  const { stack } = error as { stack?: unknown };
  return { message: error.message, stack: typeof stack === "string" ? stack : undefined };
}
