/**
 * What there is to see of a run, folded from its progress. Every event costs the same however large the run is,
 * and of all that tasks write only the newest line is kept.
 */
import type { Ending, OpenedRun, Progress } from "../../drive/progress.js";
import { approvalOf, toBreakpointResult } from "../../model/breakpoint-result.js";
import { messageWithCauses, type RecordedError } from "../../model/errors.js";
import { isKnownType } from "../../model/event-rules.js";
import { EVENT_FORMAT, type JournalEvent, type LogEntry, type StoredValue } from "../../model/events.js";
import { rebase, sleepSpan, spanBetween, type TimeSpan, waitEnds } from "../../model/time-spans.js";
import { displayWidth, oneLine } from "../output/display-width.js";

const OPEN_STATES = ["queued", "running", "retrying", "sleeping", "asking"] as const;
export const EFFECT_STATES = [...OPEN_STATES, "done", "rejected", "failed", "abandoned"] as const;
export type EffectState = (typeof EFFECT_STATES)[number];
export type Counts = Record<EffectState, number>;

/** A leaf of the tree. */
export interface EffectNode {
  readonly type: "effect";
  readonly effectId: string;
  readonly invocationKey: string;
  kind: string;
  readonly title: string;
  readonly branch: BranchNode;
  state: EffectState;
  attempt: number;
  requestedMs: number;
  startedMs?: number | undefined;
  finishedMs?: number | undefined;
  /** When the sleep ends, or the next attempt starts. */
  untilMs?: number | undefined;
  span?: TimeSpan | undefined;
  /** The newest line of the running attempt. */
  line?: string | undefined;
  /** Why the last attempt failed, or what the human said. */
  note?: string | undefined;
}

/** One parallel call. */
export interface ParallelNode {
  readonly type: "parallel";
  readonly branch: BranchNode;
  readonly lanes: BranchNode[];
  readonly counts: Counts;
  readonly requestedMs: number;
  /** When the last effect so far was finished. */
  finishedMs?: number;
  /** How many effects have each title: equal ones need something to tell them apart. */
  readonly titles: Map<string, number>;
}

/** The process itself, or a branch of a parallel call: what it asked for, in order. */
export interface BranchNode {
  /** As in `scope` of a request: empty for the process, else such as `par1[0]/`. */
  readonly path: string;
  readonly depth: number;
  readonly parallel: ParallelNode | undefined;
  readonly items: (EffectNode | ParallelNode)[];
  readonly counts: Counts;
  readonly titles: Map<string, number>;
}

export interface ProgressModel {
  run?: OpenedRun;
  openedMs: number;
  /** When the run was created: what a resumed run takes includes what it took before. */
  begunMs: number;
  /** The process, with counts of all effects. */
  readonly root: BranchNode;
  readonly effects: Map<string, EffectNode>;
  readonly branches: Map<string, BranchNode>;
  readonly parallels: Map<string, ParallelNode>;
  /** Effects without a result, and failed ones. */
  readonly open: Set<EffectNode>;
  readonly failed: Set<EffectNode>;
  /** Widest name and kind so far: columns grow, they never shrink. */
  nameWidth: number;
  kindWidth: number;
  /** How many lines the process has logged, and the last of them. */
  logged: number;
  readonly recentLogs: LogEntry[];
  /** What the journal says about the end of the run. */
  outcome?: "completed" | "failed" | "blocked" | "cancelled" | undefined;
  /** When the run ended, however much later somebody looks. */
  outcomeMs?: number | undefined;
  ending?: Ending;
  endedMs?: number;
}

const LOGS_KEPT = 20;
const TEXT_KEPT = 500;

export function newProgressModel(): ProgressModel {
  const root = newBranch("", undefined);
  return {
    openedMs: 0,
    begunMs: 0,
    root,
    effects: new Map(),
    branches: new Map([["", root]]),
    parallels: new Map(),
    open: new Set(),
    failed: new Set(),
    nameWidth: 0,
    kindWidth: 0,
    logged: 0,
    recentLogs: [],
  };
}

/** Takes one more piece of progress into the model. */
export function takeProgress(model: ProgressModel, progress: Progress, nowMs: number): void {
  switch (progress.type) {
    case "opened":
      model.run = progress.run;
      model.openedMs = nowMs;
      model.begunMs = timeOf(progress.run.createdAt) ?? nowMs;
      return;
    case "event":
      foldEvent(model, progress.event);
      return;
    case "output": {
      const effect = model.effects.get(progress.effectId);
      if (effect?.state === "running") effect.line = progress.line.slice(0, TEXT_KEPT);
      return;
    }
    case "ended":
      model.ending = progress.ending;
      model.endedMs = nowMs;
      return;
    case "printed":
    case "notice":
  }
}

/** False for events of a newer version, whose fields may be anything. */
export function isReadable(event: JournalEvent): boolean {
  return event.format <= EVENT_FORMAT && isKnownType(event.type);
}

function foldEvent(model: ProgressModel, event: JournalEvent): void {
  if (!isReadable(event)) return;
  (folds[event.type] as ((model: ProgressModel, event: JournalEvent) => void) | undefined)?.(model, event);
}

/** How long the run has taken until it ended, or so far. */
export function tookMs({ outcomeMs, endedMs, begunMs }: ProgressModel, nowMs: number): number {
  return (outcomeMs ?? endedMs ?? nowMs) - begunMs;
}

/** How many effects have what was asked for; a rejection is an answer too. */
export function doneIn({ done, rejected }: Counts): number {
  return done + rejected;
}

/** How many effects have no result yet. */
export function openIn(counts: Counts): number {
  return OPEN_STATES.reduce((sum, state) => sum + counts[state], 0);
}

/** How many effects there are. */
export function totalIn(counts: Counts): number {
  return EFFECT_STATES.reduce((sum, state) => sum + counts[state], 0);
}

export function noCounts(): Counts {
  return { queued: 0, running: 0, retrying: 0, sleeping: 0, asking: 0, done: 0, rejected: 0, failed: 0, abandoned: 0 };
}

/** What people call an effect, with its place where the title alone does not tell. */
export function effectName({ title, branch, invocationKey }: EffectNode): string {
  if ((branch.parallel?.titles.get(title) ?? 0) > (branch.titles.get(title) ?? 0)) {
    const lane = /\[(\d+)\]\/$/.exec(branch.path)?.[1] ?? "";
    return `${numbered(title, branch, invocationKey)} [${lane}]`;
  }
  return numbered(title, branch, invocationKey);
}

function numbered(title: string, branch: BranchNode, invocationKey: string): string {
  if ((branch.titles.get(title) ?? 0) < 2) return title;
  return `${title} #${/:(\d+)$/.exec(invocationKey)?.[1] ?? "?"}`;
}

type EventOf<T extends JournalEvent["type"]> = Extract<JournalEvent, { type: T }>;

const folds: { [T in JournalEvent["type"]]?: (model: ProgressModel, event: EventOf<T>) => void } = {
  EFFECT_REQUESTED: requested,
  EFFECT_STARTED(model, { effectId, payload, timestamp }) {
    const effect = openEffect(model, effectId);
    if (effect === undefined || payload.attempt < effect.attempt) return;
    effect.attempt = payload.attempt;
    effect.startedMs = Date.parse(timestamp);
    effect.untilMs = undefined;
    effect.line = undefined;
    setState(model, effect, "running");
  },
  EFFECT_ATTEMPT_FAILED(model, { effectId, payload, timestamp }) {
    const effect = openEffect(model, effectId);
    if (effect === undefined || payload.attempt < effect.attempt) return;
    effect.attempt = payload.nextAttempt;
    effect.startedMs = undefined;
    effect.line = undefined;
    effect.note = payload.reason === "interrupted" ? "interrupted" : reasonOf(effect, payload.error);
    effect.untilMs = payload.notBefore === undefined ? undefined : Date.parse(payload.notBefore);
    effect.span = payload.notBefore === undefined ? undefined : spanBetween(timestamp, payload.notBefore);
    setState(model, effect, effect.untilMs === undefined ? "queued" : "retrying");
  },
  EFFECT_RESOLVED: resolved,
  EFFECT_REOPENED: (model, { effectId, payload }) => openAgain(model, effectId, payload),
  // Nobody is asked, and nothing sleeps, before the process has requested it anew.
  EFFECT_RETRIED: (model, { effectId, payload: { attempt } }) => openAgain(model, effectId, { attempt, kind: "" }),
  EFFECT_DROPPED: (model, { effectId }) => abandon(model, [effectId]),
  CLOCK_SET_BACK(model, { payload, timestamp }) {
    const nowMs = Date.parse(timestamp);
    for (const effect of model.open) {
      if (effect.span === undefined) continue;
      rebase(effect, nowMs, payload.byMs);
      effect.untilMs = waitEnds(effect, nowMs);
    }
  },
  PROCESS_LOGGED(model, { payload }) {
    model.logged += payload.entries.length;
    model.recentLogs.push(...payload.entries.slice(-LOGS_KEPT));
    model.recentLogs.splice(0, model.recentLogs.length - LOGS_KEPT);
  },
  RUN_COMPLETED(model, { payload, timestamp }) {
    ended(model, "completed", timestamp);
    abandon(model, payload.abandoned);
  },
  RUN_CANCELLED(model, { timestamp }) {
    ended(model, "cancelled", timestamp);
    abandon(
      model,
      [...model.open].map(({ effectId }) => effectId),
    );
  },
  RUN_FAILED: (model, { timestamp }) => ended(model, "failed", timestamp),
  RUN_BLOCKED: (model) => void (model.outcome = "blocked"),
  RUN_REOPENED(model) {
    model.outcome = undefined;
    model.outcomeMs = undefined;
  },
};

function ended(model: ProgressModel, outcome: ProgressModel["outcome"], timestamp: string): void {
  model.outcome = outcome;
  model.outcomeMs = timeOf(timestamp);
}

function requested(model: ProgressModel, event: EventOf<"EFFECT_REQUESTED">): void {
  const { effectId, invocationKey, taskId, payload } = event;
  const known = model.effects.get(effectId);
  if (known !== undefined) {
    known.kind = payload.kind;
    return openAgain(model, effectId, { ...payload, attempt: payload.attempt ?? known.attempt });
  }
  const requestedMs = Date.parse(event.timestamp);
  const branch = branchAt(model, payload.scope, requestedMs);
  const title = (payload.title || payload.label || taskId).slice(0, TEXT_KEPT);
  const effect: EffectNode = {
    type: "effect",
    effectId,
    invocationKey,
    kind: payload.kind,
    title,
    branch,
    state: openState(payload.kind),
    attempt: 1,
    requestedMs,
    untilMs: timeOf(payload.until),
    span: sleepSpan(payload),
  };
  model.effects.set(effectId, effect);
  model.open.add(effect);
  branch.items.push(effect);
  countTitle(branch.titles, title);
  if (branch.parallel !== undefined) countTitle(branch.parallel.titles, title);
  count(effect, effect.state, 1);
  model.nameWidth = Math.max(model.nameWidth, 2 * branch.depth + displayWidth(oneLine(effectName(effect))));
  model.kindWidth = Math.max(model.kindWidth, displayWidth(oneLine(effect.kind)));
}

function openAgain(
  model: ProgressModel,
  effectId: string,
  { attempt, kind, ...wait }: { attempt: number; kind: string; until?: string; sleepMs?: number },
): void {
  const effect = model.effects.get(effectId);
  if (effect === undefined) return;
  effect.attempt = attempt;
  effect.startedMs = undefined;
  effect.finishedMs = undefined;
  effect.line = undefined;
  effect.note = undefined;
  effect.untilMs = timeOf(wait.until);
  effect.span = sleepSpan(wait);
  setState(model, effect, openState(kind));
}

function resolved(model: ProgressModel, { effectId, payload, timestamp }: EventOf<"EFFECT_RESOLVED">): void {
  const effect = model.effects.get(effectId);
  if (effect === undefined) return;
  effect.attempt = payload.attempt;
  effect.startedMs = timeOf(payload.startedAt) ?? effect.startedMs;
  effect.finishedMs = timeOf(payload.finishedAt) ?? Date.parse(timestamp);
  effect.untilMs = undefined;
  effect.line = undefined;
  effect.note = payload.status === "error" ? reasonOf(effect, payload.error) : answerOf(effect, payload.result);
  setState(
    model,
    effect,
    payload.status === "error" ? "failed" : isRejection(effect, payload.result) ? "rejected" : "done",
  );
}

/** Beside the name of the effect it need not be named again. */
function reasonOf({ title }: EffectNode, error: RecordedError | undefined): string {
  const text = firstLine(messageWithCauses(error ?? { message: "" }));
  return text.startsWith(`"${title}" `) ? text.slice(title.length + 3) : text;
}

function isRejection({ kind }: EffectNode, result: StoredValue | undefined): boolean {
  return kind === "breakpoint" && result !== undefined && "value" in result && approvalOf(result.value) === false;
}

function answerOf(effect: EffectNode, result: StoredValue | undefined): string | undefined {
  if (effect.kind !== "breakpoint" || result === undefined || !("value" in result)) return undefined;
  const { approved, option, feedback, via, respondedBy } = toBreakpointResult(result.value, "");
  const said = [option, feedback].filter((text) => typeof text === "string" && text !== "").join(", ");
  const word = approvalOf(result.value) === undefined ? "answered" : approved ? "approved" : "rejected";
  // What no human has decided must not look as if one had.
  const by = via === "policy" ? ` by ${respondedBy ?? "a policy"}` : "";
  return firstLine(said === "" ? `${word}${by}` : `${word}${by}: ${said}`);
}

function openState(kind: string): EffectState {
  if (kind === "breakpoint") return "asking";
  return kind === "sleep" ? "sleeping" : "queued";
}

function openEffect(model: ProgressModel, effectId: string): EffectNode | undefined {
  const effect = model.effects.get(effectId);
  return effect !== undefined && model.open.has(effect) ? effect : undefined;
}

function abandon(model: ProgressModel, effectIds: readonly string[]): void {
  for (const effectId of effectIds) {
    const effect = openEffect(model, effectId);
    if (effect !== undefined) setState(model, effect, "abandoned");
  }
}

function setState(model: ProgressModel, effect: EffectNode, state: EffectState): void {
  count(effect, effect.state, -1);
  effect.state = state;
  count(effect, state, 1);
  const isOpen = (OPEN_STATES as readonly EffectState[]).includes(state);
  if (isOpen) model.open.add(effect);
  else model.open.delete(effect);
  if (state === "failed") model.failed.add(effect);
  else model.failed.delete(effect);
}

/** Counts an effect in its branch and in everything around it. */
function count(effect: EffectNode, state: EffectState, by: 1 | -1): void {
  for (let branch: BranchNode | undefined = effect.branch; branch !== undefined; branch = branch.parallel?.branch) {
    branch.counts[state] += by;
    const { parallel } = branch;
    if (parallel === undefined) continue;
    parallel.counts[state] += by;
    if (effect.finishedMs !== undefined) parallel.finishedMs = Math.max(parallel.finishedMs ?? 0, effect.finishedMs);
  }
}

function countTitle(titles: Map<string, number>, title: string): void {
  titles.set(title, (titles.get(title) ?? 0) + 1);
}

/** The branch with this path; made when its first request comes, with the parallel calls around it. */
function branchAt(model: ProgressModel, path: string, requestedMs: number): BranchNode {
  const known = model.branches.get(path);
  if (known !== undefined) return known;
  const parts = /^(.*\/)?(par\d+)\[\d+\]\/$/s.exec(path);
  if (parts === null) return model.root;
  const [, around = "", call] = parts;
  let parallel = model.parallels.get(`${around}${call}`);
  if (parallel === undefined) {
    const branch = branchAt(model, around, requestedMs);
    parallel = { type: "parallel", branch, lanes: [], counts: noCounts(), requestedMs, titles: new Map() };
    branch.items.push(parallel);
    model.parallels.set(`${around}${call}`, parallel);
  }
  const lane = newBranch(path, parallel);
  parallel.lanes.push(lane);
  model.branches.set(path, lane);
  return lane;
}

function newBranch(path: string, parallel: ParallelNode | undefined): BranchNode {
  const depth = parallel === undefined ? 0 : parallel.branch.depth + 1;
  return { path, depth, parallel, items: [], counts: noCounts(), titles: new Map() };
}

function timeOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

function firstLine(text: string): string {
  return text.slice(0, TEXT_KEPT).trim().split("\n")[0] ?? "";
}
