/** Two runs side by side: which steps are the same, and where they part. */
import type { JournalEvent, Timeline, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";

export interface ComparedRun {
  events: readonly JournalEvent[];
  timeline: Timeline;
}

export interface ComparedStep {
  key: string;
  left: TimelineSpan | undefined;
  right: TimelineSpan | undefined;
  /** In what they differ; empty for the same. */
  differs: readonly ("request" | "result" | "state" | "missing")[];
}

export interface Comparison {
  isSameProcess: boolean;
  /** In the order of the left run; steps of the right one alone stand where it took them. */
  steps: ComparedStep[];
  /** The first step that differs. */
  partsAt: number | undefined;
}

interface Step {
  key: string;
  span: TimelineSpan;
  request: string;
  result: string;
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
  if (left === undefined || right === undefined) differs.push("missing");
  else {
    if (left.request !== right.request) differs.push("request");
    if (left.span.state !== right.span.state) differs.push("state");
    else if (left.result !== right.result) differs.push("result");
  }
  return { key, left: left?.span, right: right?.span, differs };
}

/** A step is known by its place in the process, which is the same in every run of it; a turn by its number. */
function stepsOf({ events, timeline }: ComparedRun): Step[] {
  const requests = new Map<string, { place: string; text: string }>();
  const results = new Map<string, string>();
  for (const event of events) {
    if (event.type === "EFFECT_REQUESTED") {
      const { kind, definition, args } = event.payload;
      requests.set(event.effectId, { place: event.invocationKey, text: textOf([kind, definition, args]) });
    } else if (event.type === "EFFECT_RESOLVED") {
      const { status, result, error } = event.payload;
      results.set(event.effectId, textOf([status, result, error?.message]));
    }
  }
  const seen = new Map<string, number>();
  return timeline.spans.toSorted(bySeq).map((span) => {
    const request = requests.get(span.id);
    const place = request?.place ?? span.id;
    const count = (seen.get(place) ?? 0) + 1;
    seen.set(place, count);
    return {
      key: count === 1 ? place : `${place} #${count}`,
      span,
      request: request?.text ?? "",
      result: results.get(span.id) ?? "",
    };
  });
}

/** What is not over yet has no number, and comes last. */
function bySeq(a: TimelineSpan, b: TimelineSpan): number {
  return (a.seq || Number.MAX_SAFE_INTEGER) - (b.seq || Number.MAX_SAFE_INTEGER);
}

/** The same for the same values, in whichever order their fields stand. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** How long a span took; undefined while it is open. */
export function lengthOf(span: TimelineSpan | undefined): number | undefined {
  return span?.to === undefined ? undefined : span.to - span.from;
}
