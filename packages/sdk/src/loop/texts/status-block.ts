/** The status of a loop, in a few lines for a terminal. */

import { shownCount, shownUsd } from "../../model/shown-amounts.js";
import { shownLine } from "../../model/shown-text.js";
import { isClaimOnly } from "../rules/criterion-kinds.js";
import { contractChangeLines } from "./contract-changes.js";
import { iterationText } from "./iteration-text.js";
import { type LoopReport, type ReportedCriterion, reasonOf } from "./loop-report.js";
import { outcomeWords } from "./outcome-words.js";

const MARKS: Readonly<Record<ReportedCriterion["view"], string>> = {
  met: "✓",
  unmet: "✗",
  unchecked: "?",
  claimed: "?",
  kept: "✓",
  violated: "✗",
};
const LABEL_LENGTH = 80;

const STATUS: Readonly<Record<LoopReport["outcome"], string>> = {
  verified: "completed, verified by the engine",
  proof: "completed, by completion proof",
  claim: "ended by claim only, not verified",
  cancelled: "cancelled",
  paused: "paused",
  "under-way": "in progress",
};

/** `isWholeRun`: the run is nothing but this loop, and what is said of the run is not said again. */
export function renderStatusBlock(report: LoopReport, { isWholeRun }: { isWholeRun: boolean }): string {
  const { title, outcome, next, resume, steps, criteria, mustNot } = report;
  const isSaid = isWholeRun && ["paused", "under-way", "cancelled"].includes(outcome);
  const done = steps.filter(({ status }) => status === "done").length;
  const lines = [
    `Goal:      ${shownLine(title, 120)}`,
    ...(isSaid ? [] : [`Status:    ${statusText(report)}`]),
    `Iteration: ${iterationText(report, "/")}`,
    ...list("Criteria:", criteria.map(criterionLine)),
    ...list("Must not:", mustNot.map(criterionLine)),
    ...list(
      `Steps:     ${done}/${steps.length}`,
      steps.map(({ title: step, status }) => `${STEP_MARKS[status]} ${shownLine(step, LABEL_LENGTH)}`),
    ),
    `Spend:     ${spendLine(report)}`,
    ...list("Contract changed:", contractChangeLines(report.contractChanges)),
    ...(resume === undefined || isSaid ? [] : resumeLines(resume)),
    ...(next === undefined || (resume !== undefined && isSaid) ? [] : [`Next:      ${shownLine(next)}`]),
  ];
  return lines.join("\n");
}

const STEP_MARKS = { done: "✓", open: "·", failed: "✗" } as const;

function resumeLines({ first, inSession }: NonNullable<LoopReport["resume"]>): string[] {
  return [
    ...(first === undefined ? [] : [`First:     ${first.command} (${first.when})`]),
    `Resume:    ${inSession} in the agent's session`,
  ];
}

function statusText(report: LoopReport): string {
  const { outcome } = report;
  const why = reasonOf(report);
  return why === undefined ? STATUS[outcome] : `${STATUS[outcome]}: ${shownLine(why, 200)}`;
}

function criterionLine({ id, text, command, kind, view, check, isStale }: ReportedCriterion): string {
  const label = command === undefined ? text : `${id}: ${command}`;
  return `${MARKS[view]} ${shownLine(label, LABEL_LENGTH)}${note()}`;

  function note(): string {
    if (isClaimOnly({ kind })) return view === "claimed" ? " (the agent's word)" : " (only the agent can say)";
    if (check === undefined) return " (not checked yet)";
    if (isStale) return " (the files have changed since the last check)";
    return view === "unmet" || view === "unchecked" ? ` (${outcomeWords(check)})` : "";
  }
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function spendLine({ spend, limits }: LoopReport): string {
  if (spend === null) return "not measured";
  if (spend.calls === 0) return "unknown, no model call was found in the session's transcript";
  const tokens = `${shownCount(spend.totalTokens)}${limits.tokens === undefined ? "" : ` of ${shownCount(limits.tokens)}`} tokens`;
  const budget = limits.usd === undefined ? "" : ` of ${shownUsd(limits.usd)}`;
  const known = `${shownUsd(spend.knownUsd)}${budget}`;
  const price = `list price of ${shownLine(spend.pricedAt, 40)}`;
  const dollars =
    spend.usd === null
      ? `at least ${known} (${price}; no price known for ${spend.unpriced.map((model) => shownLine(model, 60)).join(", ")})`
      : `${shownUsd(spend.usd)}${budget} (${price})`;
  return `${tokens}, ${dollars}`;
}
