/** Plays a process without a run: every effect gets an invented result, and nothing is executed or written. */
import type { BabysitterError } from "../model/errors.js";
import { REPLAY_SEMANTICS } from "../model/events.js";
import { defined, type Json } from "../model/json.js";
import type { ProcessFunction } from "../model/ports.js";
import type { RecordedRequest } from "../model/replay-index.js";
import type { Delivery, NewRequest } from "../replay/call.js";
import { Interpreter } from "../replay/interpreter.js";
import type { ProcessStanding, Progress } from "../replay/process-standing.js";
import { inventResult } from "./invent-result.js";

/** What a play is about. */
export interface Stage {
  process: ProcessFunction;
  inputs: Json;
  projectRoot: string;
  runDir: string;
  quietLimitMs: number;
  /** Kinds that the project has declared. */
  taskKinds: readonly string[];
  /** After this many results a play ends. */
  maxSteps: number;
}

export interface Play {
  requests: NewRequest[];
  /** Requests that had no result when it ended. */
  open: NewRequest[];
  /** `bounded`: it would have gone on. */
  end: ProcessStanding | { is: "bounded" };
  warnings: string[];
  /** Calls that were refused, whether or not the process has caught the error. */
  refused: BabysitterError[];
  /** What was answered last. */
  last: NewRequest | undefined;
  record: PlayRecord;
}

/** What a journal would have of a play. */
export interface PlayRecord {
  requests: RecordedRequest[];
  deliveries: Delivery[];
  patches: Record<string, number>;
}

const RUN_ID = "process-check";
const BEGIN = Date.parse("2026-01-01T00:00:00.000Z");
const STEP_MS = 1_000;

/** @param rejected the invocation key of the question that is answered with no */
export async function play(stage: Stage, rejected?: string): Promise<Play> {
  let now = BEGIN;
  const record: PlayRecord = { requests: [], deliveries: [], patches: {} };
  const refused: BabysitterError[] = [];
  const interpreter = interpreterOf(stage, { requests: [], patches: {} }, () => now, refused);
  const end = { is: "bounded" } as const;
  const played: Play = { requests: [], open: [], end, warnings: [], refused, last: undefined, record };
  const asked = new Map<string, number>();
  try {
    let progress = await interpreter.advance([]);
    for (let step = 1; ; step += 1) {
      note(played, progress, now);
      const next = nextOf(played.open);
      if (progress.standing.is !== "open" || next === undefined) return { ...played, end: progress.standing };
      if (step > stage.maxSteps) return played;
      played.open.splice(played.open.indexOf(next), 1);
      played.last = next;
      now = Math.max(now + STEP_MS, untilOf(next));
      const nth = asked.get(next.taskId) ?? 0;
      asked.set(next.taskId, nth + 1);
      const value = inventResult(next, { nth, rejects: next.invocationKey === rejected });
      const outcome = { status: "ok" as const, value };
      const delivery = { seq: step, at: new Date(now).toISOString(), effectId: next.effectId, outcome };
      record.deliveries.push(delivery);
      progress = await interpreter.advance([delivery]);
    }
  } finally {
    interpreter.close();
  }
}

/** Where the process stands when it is replayed, as an iteration would, with what was recorded of a play. */
export async function replayPlay(stage: Stage, record: PlayRecord): Promise<ProcessStanding> {
  const interpreter = interpreterOf(stage, record, () => BEGIN);
  try {
    return (await interpreter.advance(record.deliveries)).standing;
  } finally {
    interpreter.close();
  }
}

function interpreterOf(
  stage: Stage,
  { requests, patches }: Pick<PlayRecord, "requests" | "patches">,
  wallClock: () => number,
  refused: BabysitterError[] = [],
): Interpreter {
  return new Interpreter({
    ...stage,
    taskKinds: () => stage.taskKinds,
    runId: RUN_ID,
    seed: RUN_ID,
    here: { runDir: stage.runDir, projectRoot: stage.projectRoot },
    places: () => [],
    createdAt: new Date(BEGIN).toISOString(),
    semantics: REPLAY_SEMANTICS,
    wallClock,
    onRefused: (error) => refused.push(error),
    recorded: {
      requests: Object.fromEntries(requests.map((request) => [request.invocationKey, request])),
      logs: {},
      patches,
    },
    putBlob: async (text) => ({ blob: "0".repeat(64), bytes: Buffer.byteLength(text) }),
  });
}

function note({ requests, open, warnings, record }: Play, progress: Progress, now: number): void {
  const at = new Date(now).toISOString();
  for (const request of progress.requests) {
    requests.push(request);
    open.push(request);
    const { definition: _definition, args: _args, labels: _labels, location: _location, ...rest } = request;
    record.requests.push({ ...rest, seq: record.requests.length, id: request.effectId, at });
  }
  for (const { id, after } of progress.patches) record.patches[id] = after;
  warnings.push(...progress.warnings);
}

/** In the order in which they were made, but work is done before any time has passed. */
function nextOf(open: readonly NewRequest[]): NewRequest | undefined {
  return open.find(({ kind }) => kind !== "sleep") ?? open.toSorted((a, b) => untilOf(a) - untilOf(b))[0];
}

function untilOf({ until }: NewRequest): number {
  return Date.parse(until ?? "") || 0;
}

/** A request as a report shows it. */
export interface PlayedRequest {
  invocationKey: string;
  kind: string;
  taskId: string;
  /** Which branch has made it; empty for the process itself. */
  scope: string;
  title?: string;
  location?: string;
}

export function shownRequest({ invocationKey, kind, taskId, scope, title, location }: NewRequest): PlayedRequest {
  return { invocationKey, kind, taskId, scope, ...defined({ title, location }) };
}
