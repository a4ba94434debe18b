/** The result of a loop as data: what was checked by whom, what it cost, and how to continue. */

import type { FileChange } from "../../model/code-versions.js";
import type { ContractChange } from "../../model/contract-changes.js";
import { defined } from "../../model/json.js";
import { liftingOption } from "../../model/lifted-limits.js";
import type { Criterion, LoopLimits, LoopOrigin } from "../../model/loop-contract.js";
import type { CriterionChecked, Spend } from "../../model/loop-events.js";
import type { LoopState, StepState } from "../../model/loop-state.js";
import { remedyOf } from "../../model/pause-remedies.js";
import { pauseReason } from "../../model/pause-words.js";
import { resumeCommand } from "../../model/resume-command.js";
import { totalTokens } from "../../model/shown-amounts.js";
import { resultsOf } from "../rules/criteria-standing.js";
import { traitsOf } from "../rules/criterion-kinds.js";
import {
  beganAt,
  type CriterionView,
  decisiveResult,
  goalCriteria,
  type LoopNow,
  nextAction,
  viewOf,
} from "../rules/loop-now.js";

export interface ReportFacts extends LoopNow {
  runId: string;
  /** ISO time. */
  now: string;
  /** Circuit breakers that have warned, where the journal was read for them. */
  warnings?: readonly BreakerWarning[];
  /** The same for changes of the code. */
  codeChanges?: readonly ReportedCodeChange[];
}

export interface BreakerWarning {
  code: string;
  iteration?: number;
  at?: string;
}

/** How it ended, or that it has not. `verified`, `proof` and `claim` are three very different ends. */
export type LoopOutcome = "verified" | "proof" | "claim" | "cancelled" | "paused" | "under-way";

export interface ReportedCriterion {
  id: string;
  text: string;
  kind: Criterion["kind"];
  command?: string;
  path?: string;
  contains?: string;
  /** Of what must not happen: whether it has. */
  view: CriterionView | "kept" | "violated";
  /** The check that this rests on, or the newest one when none says anything about the tree as it is. */
  check?: CriterionChecked;
  /** That check is about another tree than the present one. */
  isStale: boolean;
  greenBefore: boolean;
  flaky: boolean;
}

export interface LoopReport {
  runId: string;
  title: string;
  goal: string;
  outcome: LoopOutcome;
  /** Rule that ended or paused it, and its words. */
  code?: string;
  message?: string;
  at?: string;
  /** Commands that resume it, if it can be resumed; `first`: what helps before that, and when to use which. */
  resume?: { inSession: string; inTerminal: string; when?: string; first?: { command: string; when: string } };
  next?: string;
  startedAt: string;
  madeAt: string;
  /** From the start to the end, the pause, or now; missing when the clock was set back. */
  durationMs?: number;
  mode: string;
  shape: string;
  /** Where it was taken over from, and what it had used by then. */
  origin?: LoopOrigin;
  iteration: number;
  limits: LoopLimits;
  sessions: string[];
  criteria: ReportedCriterion[];
  mustNot: ReportedCriterion[];
  steps: StepState[];
  spend: (Spend & { totalTokens: number }) | null;
  warnings: BreakerWarning[];
  /** What is not as it was agreed on at the start. */
  contractChanges: ContractChange[];
  /** That the code of the process changed after it began; empty when it did not. */
  codeChanges: ReportedCodeChange[];
}

/** One change of the code, or a person's acceptance of one. */
export interface ReportedCodeChange {
  at: string;
  files: FileChange[];
  /** Breakpoints that were missing then, or that were given up. */
  missing: { file: string; text: string }[];
  /** What changed, relative to the run directory. */
  diff?: string;
  accepted?: { by: string; via: string };
}

export function loopReport(state: LoopState, goal: string, facts: ReportFacts): LoopReport {
  const { contract, spend } = state;
  const goals = goalCriteria(state);
  const others = contract.criteria.filter((criterion) => !goals.includes(criterion));
  return {
    runId: facts.runId,
    title: contract.title,
    goal,
    ...endOf(state, facts),
    startedAt: beganAt(state),
    madeAt: facts.now,
    mode: contract.mode,
    shape: contract.shape,
    ...defined({ origin: contract.origin }),
    iteration: state.iteration,
    limits: { ...contract.limits },
    sessions: [...state.sessions],
    criteria: goals.map((criterion) => reported(state, criterion, facts)),
    mustNot: others.map((criterion) => reported(state, criterion, facts)),
    steps: state.steps.map((step) => ({ ...step, errors: [...step.errors] })),
    spend: spend === undefined ? null : { ...spend, totalTokens: totalTokens(spend) },
    warnings: facts.warnings === undefined ? currentWarning(state) : [...facts.warnings],
    contractChanges: [...state.contractChanges],
    codeChanges: [...(facts.codeChanges ?? [])],
  };
}

/** Why it was paused or cancelled, where that is said already. */
export function reasonOf(report: LoopReport): string | undefined {
  return report.outcome === "paused" ? pauseReason(report) : report.message;
}

type ReportedEnd = Pick<LoopReport, "outcome" | "code" | "message" | "at" | "resume" | "next" | "durationMs">;

function endOf(state: LoopState, facts: ReportFacts): ReportedEnd {
  const { ended, paused } = state;
  const until = (at: string): number | undefined => span(beganAt(state), at);
  if (ended !== undefined)
    return { outcome: ended.attestation, code: ended.code, at: ended.at, ...defined({ durationMs: until(ended.at) }) };
  if (facts.cancelled !== undefined) {
    const { at, reason: message } = facts.cancelled;
    return { outcome: "cancelled", at, ...defined({ message, durationMs: until(at) }) };
  }
  const next = nextAction(state, facts);
  if (paused === undefined) return { outcome: "under-way", next, ...defined({ durationMs: until(facts.now) }) };
  const { code, message, at } = paused;
  const resume = resumeCommands(state, facts.runId);
  return { outcome: "paused", code, message, at, resume, next, ...defined({ durationMs: until(at) }) };
}

function resumeCommands(state: LoopState, runId: string): NonNullable<LoopReport["resume"]> {
  const { amend, resume: when } = remedyOf(state.paused) ?? {};
  const first = amend && { command: `babysitter loop:amend ${runId} ${amend.options}`, when: amend.when };
  return {
    inSession: `/babysitter:resume ${runId}${liftingOption(state.paused)}`,
    inTerminal: resumeCommand(state, runId),
    ...defined({ when, first }),
  };
}

function reported(state: LoopState, criterion: Criterion, now: LoopNow): ReportedCriterion {
  const { id, text, kind } = criterion;
  const results = resultsOf(state, id);
  const decisive = decisiveResult(state, id, now);
  const check = decisive ?? results.at(-1);
  return {
    id,
    text,
    kind,
    ...defined({ command: traitsOf(criterion).command }),
    ...(criterion.kind === "file" ? defined({ path: criterion.path, contains: criterion.contains }) : {}),
    view: isMustNot(criterion) ? mustNotView(decisive) : viewOf(state, criterion, now),
    ...defined({ check }),
    isStale: decisive === undefined && check !== undefined,
    greenBefore: state.greenBefore.includes(id),
    flaky: results.some(({ flaky }) => flaky),
  };
}

function isMustNot(criterion: Criterion): boolean {
  return traitsOf(criterion).role === "must-not";
}

/** The check is the other way round: its success is what must not happen. */
function mustNotView(result: CriterionChecked | undefined): ReportedCriterion["view"] {
  if (result === undefined) return "unchecked";
  if (result.ok) return "violated";
  // A command that took too long or could not be started has said neither yes nor no.
  return result.outcome === "unmet" ? "kept" : "unchecked";
}

function currentWarning({ halfOpen = [] }: LoopState): BreakerWarning[] {
  return halfOpen.map((code) => ({ code }));
}

function span(from: string, to: string): number | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 0 ? ms : undefined;
}
