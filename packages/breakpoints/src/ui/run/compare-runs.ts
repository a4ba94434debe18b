/** Two runs side by side: which steps are the same, and which is the first that differs. Pure. */

import type { JournalEvent, Timeline, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { startOf } from "../waterfall/span-look.js";
import { isContainer, isWhole, type Stored } from "./json-shape.js";

type EventOf<T extends JournalEvent["type"]> = Extract<JournalEvent, { type: T }>;

export interface ComparedRun {
  events: readonly JournalEvent[];
  timeline: Timeline;
}

/** A step as one of the runs took it. */
export interface StepSide {
  span: TimelineSpan;
  /** The events with its values: none of a turn, and no result while it is open. */
  request: EventOf<"EFFECT_REQUESTED"> | undefined;
  resolved: EventOf<"EFFECT_RESOLVED"> | undefined;
}

export interface ComparedStep {
  key: string;
  left: StepSide | undefined;
  right: StepSide | undefined;
  /** In what they differ; empty for the same. */
  differs: readonly ("request" | "result" | "state" | "missing")[];
  /** Values that are equally long and not all here, so that nothing can be said. */
  unknown: readonly ("request" | "result")[];
}

export interface Comparison {
  isSameProcess: boolean;
  /** In the order of the left run; steps of the right one alone stand where it took them. */
  steps: ComparedStep[];
  /** The first step that differs. */
  partsAt: number | undefined;
}

interface Step extends StepSide {
  key: string;
}

export function compareRuns(left: ComparedRun, right: ComparedRun): Comparison {
  const [ours, theirs] = [stepsOf(left), stepsOf(right)];
  const byKey = new Map(theirs.map(({ key }, index) => [key, index]));
  const known = new Set(ours.map(({ key }) => key));
  const steps: ComparedStep[] = [];
  let next = 0;
  const addAlone = (until: number): void => {
    for (; next < until; next += 1) {
      const alone = theirs[next];
      if (alone !== undefined && !known.has(alone.key)) steps.push(compared(alone.key, undefined, alone));
    }
  };
  for (const step of ours) {
    const at = byKey.get(step.key);
    if (at !== undefined) addAlone(at);
    steps.push(compared(step.key, step, at === undefined ? undefined : theirs[at]));
  }
  addAlone(theirs.length);
  const partsAt = steps.findIndex(({ differs }) => differs.length > 0);
  return {
    isSameProcess: left.timeline.process === right.timeline.process,
    steps,
    partsAt: partsAt < 0 ? undefined : partsAt,
  };
}

function compared(key: string, left: Step | undefined, right: Step | undefined): ComparedStep {
  const differs: ComparedStep["differs"][number][] = [];
  const unknown: ComparedStep["unknown"][number][] = [];
  const note = (what: "request" | "result", same: boolean | undefined): void => {
    if (same === false) differs.push(what);
    if (same === undefined) unknown.push(what);
  };
  if (left === undefined || right === undefined) differs.push("missing");
  else {
    note("request", areSame(inputOf(left), inputOf(right)));
    if (left.span.state !== right.span.state) differs.push("state");
    else note("result", areSame(resultOf(left), resultOf(right)));
  }
  return { key, left, right, differs, unknown };
}

/** A step is known by its place in the process, which is the same in every run of it; a turn by its number. */
function stepsOf({ events, timeline }: ComparedRun): Step[] {
  const requests = new Map<string, EventOf<"EFFECT_REQUESTED">>();
  const results = new Map<string, EventOf<"EFFECT_RESOLVED">>();
  for (const event of events) {
    if (event.type === "EFFECT_REQUESTED") requests.set(event.effectId, event);
    else if (event.type === "EFFECT_RESOLVED") results.set(event.effectId, event);
  }
  const seen = new Map<string, number>();
  return timeline.spans.toSorted(bySeq).map((span) => {
    const request = requests.get(span.id);
    const place = request?.invocationKey ?? span.id;
    const count = (seen.get(place) ?? 0) + 1;
    seen.set(place, count);
    const resolved = span.state === "open" ? undefined : results.get(span.id);
    return { key: count === 1 ? place : `${place} #${count}`, span, request, resolved };
  });
}

/** What is not over yet has no number, and comes last. */
function bySeq(a: TimelineSpan, b: TimelineSpan): number {
  return (a.seq || Number.MAX_SAFE_INTEGER) - (b.seq || Number.MAX_SAFE_INTEGER);
}

type Value = Stored | undefined;

function inputOf({ request }: StepSide): Value[] {
  if (request === undefined) return [];
  const { kind, definition, args } = request.payload;
  return [{ value: kind }, definition, args];
}

function resultOf({ resolved }: StepSide): Value[] {
  if (resolved === undefined) return [];
  const { status, result, error } = resolved.payload;
  return [{ value: status }, result, { value: error?.message }];
}

function areSame(ours: readonly Value[], theirs: readonly Value[]): boolean | undefined {
  if (ours.length !== theirs.length) return false;
  const each = ours.map((value, n) => isSame(value, theirs[n]));
  return each.includes(false) ? false : each.includes(undefined) ? undefined : true;
}

/** Values with files of their own are told apart by their hashes; of others that are not here, only the size is known. */
function isSame(one: Value, other: Value): boolean | undefined {
  if (one === undefined || other === undefined) return one === other;
  if (isWhole(one) && isWhole(other)) return textOf(one.value) === textOf(other.value);
  if (bytesIn(one) !== bytesIn(other)) return false;
  if (isCut(one) || isCut(other)) return undefined;
  return "blob" in one && "blob" in other && one.blob === other.blob;
}

function bytesIn(stored: Stored): number {
  return isWhole(stored) ? new TextEncoder().encode(JSON.stringify(stored.value)).length : (stored.bytes ?? 0);
}

function isCut(value: Value): boolean {
  return value?.bytes !== undefined && !("blob" in value && value.blob !== "");
}

/** The events of a step whose values are here by their size only. */
export function cutEvents(side: StepSide | undefined): JournalEvent[] {
  if (side === undefined) return [];
  const { request, resolved } = side;
  return [
    ...(request !== undefined && inputOf(side).some(isCut) ? [request] : []),
    ...(resolved !== undefined && resultOf(side).some(isCut) ? [resolved] : []),
  ];
}

/** The same for the same values, in whichever order their fields stand. */
function textOf(value: unknown, indent?: number): string {
  return JSON.stringify(value, inOrder, indent) ?? "null";
}

function inOrder(_name: string, inner: unknown): unknown {
  return isContainer(inner) && !Array.isArray(inner)
    ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : inner;
}

/** A value as people read it; undefined where there is none, null where it is too large to be here. */
export type ShownValue = string | null | undefined;

/** What a step was asked for, as JSON. */
export function shownInput(side: StepSide | undefined): ShownValue {
  if (side?.request === undefined) return undefined;
  const { definition, args }: Record<"definition" | "args", Stored> = side.request.payload;
  if (!isWhole(definition) || !isWhole(args)) return null;
  const hasArgs = !isContainer(args.value) || Object.keys(args.value).length > 0;
  return textOf(hasArgs ? { definition: definition.value, arguments: args.value } : definition.value, 2);
}

/** What it has returned, or its error, as JSON. */
export function shownResult(side: StepSide | undefined): ShownValue {
  if (side?.resolved === undefined) return undefined;
  const { result, error }: { result?: Stored; error?: { message: string } } = side.resolved.payload;
  if (error !== undefined) return textOf({ error: error.message }, 2);
  if (result === undefined) return undefined;
  return isWhole(result) ? textOf(result.value, 2) : null;
}

/** How long a span took; undefined while it is open. */
export function lengthOf(span: TimelineSpan | undefined): number | undefined {
  return span?.to === undefined ? undefined : span.to - startOf(span);
}
