/** The view `.loop/state.json`, by which other tools know a criteria loop. It is written but never trusted. */

import type { Criterion } from "../../model/loop-contract.js";
import type { ProgressSample } from "../../model/loop-events.js";
import type { LoopState } from "../../model/loop-state.js";
import { resultsOf } from "../rules/criteria-standing.js";
import { traitsOf } from "../rules/criterion-kinds.js";
import { goalCriteria, type LoopNow, nextAction, viewOf } from "../rules/loop-now.js";

export interface LoopStateFile {
  /** The prompt, byte for byte. */
  spec: string;
  criteria: string[];
  criteriaStatus: Record<string, boolean>;
  exit_signal: boolean;
  steps: string[];
  completedSteps: string[];
  remainingSteps: string[];
  iteration: number;
  status: "in_progress" | "completed" | "cancelled";
  circuitBreaker: { stuckCount: number; lastUnmet: string };
}

/** So many turns with the same first unmet criterion, and readers of the file let the agent go. */
const STUCK_FROM = 5;

export function loopStateView(state: LoopState, goal: string, now: LoopNow = {}): LoopStateFile {
  const listed = goalCriteria(state);
  const labels = uniqueLabels(listed);
  const isMet = (criterion: Criterion): boolean => ["met", "claimed"].includes(viewOf(state, criterion, now));
  const titles = (wanted: (status: string) => boolean): string[] =>
    state.steps.filter(({ status }) => wanted(status)).map(({ title }) => title);
  return {
    spec: goal,
    criteria: labels,
    criteriaStatus: Object.fromEntries(listed.map((criterion, at) => [labels[at] as string, isMet(criterion)])),
    exit_signal: state.ended !== undefined,
    steps: titles(() => true),
    completedSteps: titles((status) => status === "done"),
    remainingSteps: titles((status) => status !== "done"),
    iteration: state.iteration,
    status: statusOf(state, now),
    circuitBreaker: circuitBreakerOf(state, listed, labels),
  };
}

export function renderLoopStateFile(view: LoopStateFile): string {
  return `${JSON.stringify(view, null, 2)}\n`;
}

/** The format has no pause: a paused loop is one that can continue. */
function statusOf(state: LoopState, { cancelled }: LoopNow): LoopStateFile["status"] {
  if (state.ended !== undefined) return "completed";
  return cancelled === undefined ? "in_progress" : "cancelled";
}

/**
 * The format's own count: the first unmet criterion is the same as after the turn before, or it is not. A criterion
 * that nobody has checked is unmet.
 */
function circuitBreakerOf(
  state: LoopState,
  listed: readonly Criterion[],
  labels: readonly string[],
): LoopStateFile["circuitBreaker"] {
  let breaker = { stuckCount: 0, lastUnmet: "" };
  for (const sample of state.progress) {
    const first = labels[listed.findIndex((criterion) => wasUnmet(state, criterion, sample))] ?? "";
    const isSame = first !== "" && first === breaker.lastUnmet;
    breaker = { stuckCount: isSame ? breaker.stuckCount + 1 : 0, lastUnmet: first };
  }
  return breaker;
}

function wasUnmet(state: LoopState, criterion: Criterion, { failing }: ProgressSample): boolean {
  const { id } = criterion;
  return (
    !traitsOf(criterion).isCheckable ||
    failing === undefined ||
    failing.includes(id) ||
    resultsOf(state, id).length === 0
  );
}

/** Labels are keys in the file, so that two criteria with the same words need different ones. */
function uniqueLabels(criteria: readonly Criterion[]): string[] {
  const used = new Set<string>();
  return criteria.map((criterion) => {
    let label = traitsOf(criterion).label;
    while (used.has(label)) label = `${label} (${criterion.id})`;
    used.add(label);
    return label;
  });
}

/** Whether an agent may stop, in the words of the two formats. */
export type LoopCheck = { ok: true; reason?: string } | { ok: false; reason: string };

/** Undefined: there is no loop. */
export function checkLoop(state: LoopState | undefined, now: LoopNow = {}): LoopCheck {
  if (state?.contract.mode === "tasks") return checkTask(state, now);
  if (state === undefined || state.paused !== undefined) return { ok: true };
  const { status, criteriaStatus, exit_signal, circuitBreaker } = loopStateView(state, "", now);
  if (status !== "in_progress" || circuitBreaker.stuckCount >= STUCK_FROM) return { ok: true };
  const unmet = Object.keys(criteriaStatus).filter((label) => criteriaStatus[label] !== true);
  if (unmet.length === 0 && exit_signal) return { ok: true };
  if (unmet.length > 0) return { ok: false, reason: `unmet criteria: ${unmet.join(", ")}` };
  return {
    ok: false,
    reason: `unmet criteria: none, but the agent has not said that it is done; ${nextAction(state, now)}`,
  };
}

function checkTask(state: LoopState, now: LoopNow): LoopCheck {
  if (state.ended !== undefined) return { ok: true, reason: "complete" };
  if (now.cancelled !== undefined) return { ok: true, reason: "cancelled" };
  if (state.paused !== undefined) return { ok: true, reason: `paused: ${state.paused.code}` };
  return { ok: false, reason: `next: ${nextAction(state, now)}` };
}
