/** What a step looks like: its word and icon, and the pieces of its bar. Pure. */
import {
  shownDuration,
  type Timeline,
  type TimelineAttempt,
  type TimelineMark,
  type TimelineSpan,
} from "@a5c-ai/babysitter-sdk/view";

/** Who or what the time belongs to, as a colour. */
export type BarTone = "work" | "person" | "time" | "bad" | "gone";

export interface Segment {
  from: number;
  to: number;
  tone: BarTone;
  /** Goes on at this moment. */
  isRunning: boolean;
}

/** Names of icons. */
type LookIcon = "check" | "cross" | "hand" | "history" | "none" | "part" | "pause" | "play" | "report" | "warning";

export interface StateLook {
  word: string;
  icon: LookIcon;
  tone: "work" | "needs" | "quiet" | "good" | "bad";
}

const ENDED: Readonly<Record<Exclude<TimelineSpan["state"], "open">, StateLook>> = {
  ok: { word: "Done", icon: "check", tone: "good" },
  approved: { word: "Approved", icon: "check", tone: "good" },
  rejected: { word: "Rejected", icon: "cross", tone: "bad" },
  error: { word: "Failed", icon: "warning", tone: "bad" },
  dropped: { word: "Dropped", icon: "none", tone: "quiet" },
};

export function lookOf(span: TimelineSpan): StateLook {
  if (span.state !== "open") return ENDED[span.state];
  if (span.who === "person") return { word: "Waiting on you", icon: "hand", tone: "needs" };
  if (span.who === "time") return { word: "Sleeping", icon: "part", tone: "quiet" };
  if (isWorkedOn(span)) return { word: "Running", icon: "play", tone: "work" };
  return span.attempts.length === 0
    ? { word: "Not started", icon: "none", tone: "quiet" }
    : { word: "Waiting to retry", icon: "part", tone: "quiet" };
}

/** Nobody records when an agent, or someone outside, begins with a task. */
function isWorkedOn({ who, attempts }: TimelineSpan): boolean {
  return attempts.length === 0 ? who !== "engine" : attempts.some(({ end }) => end === "running");
}

/** `end`: where the picture ends, and with it what goes on. */
export function segmentsOf(span: TimelineSpan, end: number): Segment[] {
  const { state, who, attempts, from, to = end } = span;
  const isOpen = state === "open";
  if (attempts.length === 0) {
    if (isOpen && who === "engine") return [];
    return [{ from, to, tone: wholeTone(span), isRunning: isOpen }];
  }
  return attempts.map((attempt) => ({
    from: attempt.from,
    to: attempt.to ?? to,
    tone: attemptTone(span, attempt),
    isRunning: isOpen && attempt.end === "running",
  }));
}

function wholeTone({ state, who }: TimelineSpan): BarTone {
  if (state === "dropped") return "gone";
  if (state === "error") return "bad";
  return who === "person" || who === "time" ? who : "work";
}

function attemptTone({ state }: TimelineSpan, { end }: TimelineAttempt): BarTone {
  if (end !== "ok" && end !== "running") return "bad";
  return state === "dropped" ? "gone" : "work";
}

/** Before that a step only waited for its turn. What has no attempts, such as a question, starts when it is asked for. */
export function startOf({ from, attempts }: Pick<TimelineSpan, "from" | "attempts">): number {
  return attempts[0]?.from ?? from;
}

/** The quiet line under a title, without the word for its state. The kind is foreign text. */
export function detailsOf(span: TimelineSpan, end: number): string[] {
  const { kind, to = end, attempts } = span;
  const tries = attempts.length > 1 ? [`${attempts.length} attempts`] : [];
  return [kind, shownDuration(Math.max(0, to - startOf(span))), ...tries];
}

/** What the last attempt that went wrong said first. */
export function errorLine({ attempts, state }: TimelineSpan): string | undefined {
  if (state === "ok" || state === "approved") return undefined;
  const error = attempts.findLast((attempt) => attempt.error !== undefined)?.error;
  return error?.split("\n").find((line) => line.trim() !== "");
}

export const MARK_LOOKS: Readonly<Record<TimelineMark["kind"], { icon: LookIcon; tone: StateLook["tone"] }>> = {
  "code-changed": { icon: "report", tone: "work" },
  "contract-changed": { icon: "report", tone: "needs" },
  paused: { icon: "pause", tone: "needs" },
  resumed: { icon: "play", tone: "work" },
  retried: { icon: "history", tone: "work" },
  clock: { icon: "part", tone: "quiet" },
  failed: { icon: "warning", tone: "bad" },
  ended: { icon: "check", tone: "quiet" },
};

export type BarKind = BarTone | "running" | "rejected";

/** The kinds of bars that a picture has, for its legend. */
export function barKinds({ spans, to }: Pick<Timeline, "spans" | "to">): ReadonlySet<BarKind> {
  const kinds = new Set<BarKind>();
  for (const span of spans) {
    if (span.state === "rejected") kinds.add("rejected");
    for (const { tone, isRunning } of segmentsOf(span, to)) kinds.add(isRunning && tone === "work" ? "running" : tone);
  }
  return kinds;
}
