/** Pictures of runs for tests: what a test is about is said, the rest is usual. */
import type { Timeline, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";

export function spanWith(given: Partial<TimelineSpan>, n = 0): TimelineSpan {
  const seq = given.seq ?? 2 + n * 3;
  return {
    id: `s${n}`,
    kind: "shell",
    who: "engine",
    title: `step ${n}`,
    state: "ok",
    seq,
    endSeq: seq + 2,
    seqs: [seq, seq + 1, seq + 2],
    after: 1,
    from: 0,
    to: 100,
    attempts: [],
    lane: n,
    ...given,
  };
}

export function timelineWith(spans: readonly Partial<TimelineSpan>[], more: Partial<Timeline> = {}): Timeline {
  return {
    runId: "r",
    process: "p",
    from: 0,
    to: 1_000,
    isOver: true,
    iterations: [],
    marks: [],
    split: { workingMs: 0, waitingOnPersonMs: 0, waitingOnTimeMs: 0, idleMs: 0 },
    spans: spans.map((span, n) => spanWith(span, n)),
    ...more,
  };
}
