/** A run as a picture in time: what was asked for when, who worked on it how long, and what came of it. Pure. */
import type { JournalEvent } from "../model/events.js";
import { isJsonObject } from "../model/json.js";
import { hasProcess } from "../model/run-state.js";
import { type Performer, performerOf } from "../model/task-kinds.js";
import { lanesOf } from "./lanes.js";
import { type TimeSplit, timeSplit } from "./time-split.js";

type EventOf<T extends JournalEvent["type"]> = Extract<JournalEvent, { type: T }>;

/** One try. Times are in milliseconds; without an end it is under way. */
export interface TimelineAttempt {
  attempt: number;
  from: number;
  to?: number;
  end: "running" | "ok" | "error" | "failed" | "timed-out" | "interrupted";
  error?: string;
}

export type SpanState = "open" | "ok" | "error" | "approved" | "rejected" | "dropped";

/** A step of the process, a question, a sleep, or a turn of an agent. */
export interface TimelineSpan {
  id: string;
  kind: string;
  who: Performer;
  title: string;
  state: SpanState;
  /** Sequence numbers of its request, of its result, and of everything that was recorded about it. */
  seq: number;
  endSeq?: number;
  seqs: number[];
  /** Of the last result that the process had got before it asked. */
  after: number;
  from: number;
  to?: number;
  attempts: TimelineAttempt[];
  /** Spans of one lane do not overlap. */
  lane: number;
}

/** Something that happened at one moment. */
export interface TimelineMark {
  seq: number;
  at: number;
  kind: "code-changed" | "contract-changed" | "paused" | "resumed" | "retried" | "clock" | "failed" | "ended";
  text: string;
}

/** A run as it went, along the time. */
export interface Timeline {
  runId: string;
  process: string;
  from: number;
  to: number;
  /** Nothing more will come. */
  isOver: boolean;
  spans: TimelineSpan[];
  iterations: { iteration: number; from: number; to: number }[];
  marks: TimelineMark[];
  split: TimeSplit;
}

/** `now`: where the picture of a run that is not over ends. */
export function timelineOf(events: readonly JournalEvent[], now: Date): Timeline {
  const picture = new Picture();
  for (const event of events) picture.add(event);
  return picture.finish(now.getTime());
}

interface TurnBegin {
  from: number;
  seq: number;
}

class Picture {
  readonly #spans = new Map<string, TimelineSpan>();
  readonly #marks: TimelineMark[] = [];
  readonly #iterations: { iteration: number; from: number; to: number }[] = [];
  #run = { runId: "", process: "" };
  #from = Number.NaN;
  #at = Number.NaN;
  #hasProcess = true;
  #isOver = false;
  /** Since when the agent is at it, and the event that says so; undefined between turns. */
  #turn: TurnBegin | undefined;
  #turns = 0;

  add(event: JournalEvent): void {
    const at = Date.parse(event.timestamp);
    // A time that nobody can read, or a clock that was set back, moves nothing to the left.
    this.#at = at >= this.#at || Number.isNaN(this.#at) ? at : this.#at;
    if (Number.isNaN(this.#from)) this.#from = this.#at;
    this.#addSpan(event);
    this.#addTurn(event);
    this.#addMark(event);
  }

  finish(now: number): Timeline {
    const to = this.#isOver || !(now > this.#at) ? this.#at : now;
    if (this.#turn !== undefined && !this.#isOver) this.#endTurn(this.#turn, undefined);
    const spans = [...this.#spans.values()].toSorted((a, b) => a.from - b.from || a.seq - b.seq);
    for (const [index, lane] of lanesOf(spans, to).entries()) (spans[index] as TimelineSpan).lane = lane;
    return {
      ...this.#run,
      from: this.#from,
      to,
      isOver: this.#isOver,
      spans,
      iterations: this.#iterations,
      marks: this.#marks,
      split: timeSplit(spans, { from: this.#from, to }),
    };
  }

  #addSpan(event: JournalEvent): void {
    const at = this.#at;
    if (event.type === "RUN_CREATED") this.#create(event);
    else if (event.type === "EFFECT_REQUESTED") this.#request(event);
    else if (event.effectId !== undefined) {
      const span = this.#spans.get(event.effectId);
      const change = Object.hasOwn(CHANGES, event.type) ? CHANGES[event.type] : undefined;
      if (span === undefined) return;
      span.seqs.push(event.seq);
      change?.(span, event as never, at);
    }
  }

  #create({ payload }: EventOf<"RUN_CREATED">): void {
    this.#run = { runId: payload.runId, process: payload.processId };
    this.#hasProcess = hasProcess(payload);
  }

  #request(event: EventOf<"EFFECT_REQUESTED">): void {
    const { kind, title, after, iteration } = event.payload;
    const at = this.#at;
    this.#spans.set(event.effectId, {
      id: event.effectId,
      kind,
      who: performerOf(kind),
      title: title ?? event.taskId,
      state: "open",
      seq: event.seq,
      seqs: [event.seq],
      after,
      from: at,
      attempts: [],
      lane: 0,
    });
    this.#band(iteration, at);
  }

  #band(iteration: number, at: number): void {
    const last = this.#iterations.at(-1);
    if (last?.iteration === iteration) last.to = at;
    else this.#iterations.push({ iteration, from: at, to: at });
  }

  /** A turn begins when {@link isTurnBegin} says so, or when the agent was told to continue; it ends with a stop. */
  #addTurn(event: JournalEvent): void {
    const here = { from: this.#at, seq: event.seq };
    if (isTurnBegin(event)) this.#turn ??= here;
    else if (event.type === "STOP_HOOK_INVOKED") {
      this.#endTurn(this.#turn ?? here, event);
      this.#turn = event.payload.decision === "block" ? here : undefined;
    } else if (event.type === "TURN_FAILED" && this.#turn !== undefined) {
      this.#endTurn(this.#turn, event);
      this.#turn = undefined;
    }
  }

  #endTurn({ from, seq }: TurnBegin, end: EventOf<"STOP_HOOK_INVOKED"> | EventOf<"TURN_FAILED"> | undefined): void {
    this.#turns += 1;
    const failed = end?.type === "TURN_FAILED";
    const to = this.#at;
    this.#spans.set(`turn ${this.#turns}`, {
      id: `turn ${this.#turns}`,
      kind: "turn",
      who: "agent",
      title: `turn ${this.#turns}`,
      state: end === undefined ? "open" : failed ? "error" : "ok",
      seq: end?.seq ?? seq,
      seqs: end === undefined ? [seq] : [seq, end.seq],
      after: 0,
      from,
      ...(end === undefined ? {} : { to, endSeq: end.seq }),
      attempts: [
        {
          attempt: 1,
          from,
          ...(end === undefined ? { end: "running" } : { to, end: failed ? "error" : "ok" }),
          ...(failed ? { error: end.payload.message } : {}),
        },
      ],
      lane: 0,
    });
  }

  /** A loop that only has a prompt is over with its last turn; one that has a process goes on with that. */
  #isLoopEnd(event: JournalEvent): boolean {
    return event.type === "STOP_HOOK_INVOKED" && event.payload.ended !== undefined && !this.#hasProcess;
  }

  #addMark(event: JournalEvent): void {
    const mark = this.#isLoopEnd(event) ? LOOP_ENDED : markOf(event);
    if (mark !== undefined) this.#marks.push({ seq: event.seq, at: this.#at, ...mark });
    const isEnd = ENDS.has(event.type) || mark === LOOP_ENDED;
    this.#isOver = isEnd || (this.#isOver && event.type !== "RUN_REOPENED" && event.type !== "EFFECT_RETRIED");
  }
}

/** What an event changes about the span of its effect. */
const CHANGES: {
  readonly [T in JournalEvent["type"]]?: (span: TimelineSpan, event: EventOf<T>, at: number) => void;
} = {
  EFFECT_STARTED: ({ attempts }, { payload: { attempt } }, at) =>
    void attempts.push({ attempt, from: at, end: "running" }),
  EFFECT_ATTEMPT_FAILED: (span, { payload: { attempt, reason, error } }, at) =>
    endAttempt(span, { attempt, at, end: reason, error: error.message }),
  EFFECT_RESOLVED: resolve,
  EFFECT_REOPENED: reopen,
  EFFECT_RETRIED: reopen,
  EFFECT_DROPPED: (span, _event, at) => {
    span.state = "dropped";
    span.to = at;
  },
};

/** With a prompt, the start of a loop in a session, or the word of a person to resume. */
function isTurnBegin({ type, payload }: JournalEvent): boolean {
  if (type === "SESSION_BOUND") return payload.by === "start";
  return type === "PROMPT_SUBMITTED" || type === "LOOP_RESUMED";
}

function resolve(span: TimelineSpan, event: EventOf<"EFFECT_RESOLVED">, at: number): void {
  const { status, attempt, error } = event.payload;
  span.to = at;
  span.endSeq = event.seq;
  span.state = stateOf(span, event);
  if (span.attempts.some(({ end }) => end === "running"))
    endAttempt(span, { attempt, at, end: status, error: error?.message });
}

function stateOf({ kind }: TimelineSpan, { payload }: EventOf<"EFFECT_RESOLVED">): SpanState {
  if (payload.status === "error") return "error";
  if (kind !== "breakpoint") return "ok";
  const { result } = payload;
  // A very long answer is in a file of its own.
  if (result === undefined || !("value" in result)) return "ok";
  return isJsonObject(result.value) && result.value["approved"] === true ? "approved" : "rejected";
}

function endAttempt(
  { attempts }: TimelineSpan,
  ended: { attempt: number; at: number; end: TimelineAttempt["end"]; error?: string | undefined },
): void {
  const open = attempts.findLast(({ attempt, end }) => attempt === ended.attempt && end === "running");
  if (open === undefined) return;
  open.to = ended.at;
  open.end = ended.end;
  if (ended.error !== undefined) open.error = ended.error;
}

function reopen(span: TimelineSpan): void {
  span.state = "open";
  delete span.to;
  delete span.endSeq;
}

type MarkText = Pick<TimelineMark, "kind" | "text">;

const MARKS: { readonly [T in JournalEvent["type"]]?: MarkText } = {
  CODE_CHANGED: { kind: "code-changed", text: "code changed" },
  CODE_ACCEPTED: { kind: "code-changed", text: "changed code accepted" },
  LOOP_AMENDED: { kind: "contract-changed", text: "contract changed" },
  LOOP_PAUSED: { kind: "paused", text: "paused" },
  LOOP_RESUMED: { kind: "resumed", text: "resumed" },
  RUN_REOPENED: { kind: "retried", text: "reopened" },
  EFFECT_RETRIED: { kind: "retried", text: "retried" },
  CLOCK_SET_BACK: { kind: "clock", text: "clock set back" },
  RUN_BLOCKED: { kind: "failed", text: "blocked" },
  RUN_FAILED: { kind: "failed", text: "failed" },
  RUN_COMPLETED: { kind: "ended", text: "completed" },
  RUN_CANCELLED: { kind: "ended", text: "cancelled" },
};

const LOOP_ENDED: MarkText = { kind: "ended", text: "completed" };
const ENDS: ReadonlySet<JournalEvent["type"]> = new Set(["RUN_COMPLETED", "RUN_CANCELLED", "RUN_FAILED"]);

function markOf({ type }: JournalEvent): MarkText | undefined {
  return Object.hasOwn(MARKS, type) ? MARKS[type] : undefined;
}
