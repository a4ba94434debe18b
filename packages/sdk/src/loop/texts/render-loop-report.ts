/** The report of a loop as Markdown. Text from a goal, a command or an output cannot pass for the report's own. */

import type { LoopOrigin } from "../../model/loop-contract.js";
import type { CriterionChecked } from "../../model/loop-events.js";
import { counted, shownCount, shownDuration, shownTime, shownUsd, shownZone } from "../../model/shown-amounts.js";
import { codeBlock, codeSpan, lastLines, shownLine, shownLines } from "../../model/shown-text.js";
import { isClaimOnly } from "../rules/criterion-kinds.js";
import { contractChangeLines } from "./contract-changes.js";
import { iterationText } from "./iteration-text.js";
import {
  type LoopOutcome,
  type LoopReport,
  type ReportedCodeChange,
  type ReportedCriterion,
  reasonOf,
} from "./loop-report.js";
import { outcomeWords } from "./outcome-words.js";
import { shownGoal } from "./resume-text.js";

const GOAL_LIMIT = 4_000;
const TAIL_LINES = 20;
const LINE_LENGTH = 400;
const TREE_LENGTH = 12;

const HEADLINES: Readonly<Record<LoopOutcome, (report: LoopReport) => string>> = {
  verified: ({ criteria }) =>
    `✅ **Done, verified by the engine.** It ran the checks below itself, and all of them passed.${criteria.some(isClaimOnly) ? " A question mark marks what only the agent claims." : ""}`,
  proof: () =>
    "✅ **Done, by completion proof.** The run's process completed, and the agent gave its completion proof.",
  claim: ({ criteria }) =>
    `⚠️ **Ended by claim only, not verified.** The agent said that it was done; ${!criteria.every(isClaimOnly) ? "the engine did not verify all of it" : "the engine had nothing to check"}.`,
  cancelled: () => "🚫 **Cancelled.** The work done so far is kept.",
  paused: () => "⏸ **Paused.** Nothing is lost.",
  "under-way": () => "🔄 **In progress.**",
};

const MARKS: Readonly<Record<ReportedCriterion["view"], string>> = {
  met: "✓ met",
  unmet: "✗ not met",
  unchecked: "? not checked on the current tree",
  claimed: "? claimed by the agent, not checked",
  kept: "✓ has not happened",
  violated: "✗ has happened",
};

export function renderLoopReport(report: LoopReport): string {
  const parts = [
    `# Loop report: ${codeSpan(report.title)}`,
    outcomeText(report),
    factLines(report),
    `## Goal\n\n${goalBlock(shownGoal(report, report.goal))}`,
    ...section("Criteria", report.criteria.map(criterionText)),
    ...section("What must not happen", report.mustNot.map(criterionText)),
    ...section(
      "Contract changed",
      contractChangeLines(report.contractChanges).map((line) => `- ${codeSpan(line, 1_000)}`),
    ),
    ...section("Steps", stepLines(report)),
    `## Spend\n\n${spendText(report)}`,
    ...section("Code changed", codeLines(report)),
    ...section("Warnings", warningLines(report)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function outcomeText(report: LoopReport): string {
  const { outcome, code, resume } = report;
  const message = reasonOf(report);
  return [
    HEADLINES[outcome](report),
    ...(message === undefined ? [] : [`Why: ${codeSpan(message, 1_000)}`]),
    ...(code === undefined ? [] : [`Rule: ${codeSpan(code)}`]),
    ...(resume === undefined ? [] : resumeLines(resume)),
  ].join("\n\n");
}

function resumeLines({ first, when, inSession, inTerminal }: NonNullable<LoopReport["resume"]>): string[] {
  const words = when === undefined ? "To resume" : `To resume (${when})`;
  return [
    ...(first === undefined ? [] : [`First, ${first.when}: ${codeSpan(first.command)}`]),
    `${words}: ${codeSpan(inSession)} in the agent's session, or ${codeSpan(inTerminal)}`,
  ];
}

function factLines(report: LoopReport): string {
  const { limits, sessions, at, durationMs, next, origin } = report;
  const until = at === undefined ? report.madeAt : at;
  return [
    `- Run: ${codeSpan(report.runId)}`,
    `- From ${shownTime(report.startedAt)} to ${shownTime(until)}${durationMs === undefined ? "" : ` (${shownDuration(durationMs)})`}`,
    `- Iteration: ${iterationText(report, " of ")}${limits.iterations > 0 ? "" : ", no limit"}`,
    `- Kind: ${report.mode} loop, ${report.shape === "tool" ? "without reviews" : "with your review every few turns"}`,
    ...(origin === undefined ? [] : [`- Imported from: ${codeSpan(origin.path)}${importedId(origin)}`]),
    ...(sessions.length === 0 ? [] : [`- Sessions: ${sessions.map((id) => codeSpan(id)).join(", ")}`]),
    ...(next === undefined ? [] : [`- Next: ${codeSpan(next)}`]),
    `- Report created: ${shownTime(report.madeAt)} (${shownZone(report.madeAt)}, like all times here)`,
  ].join("\n");
}

function importedId({ id }: LoopOrigin): string {
  return id === undefined ? "" : `, task ${codeSpan(id)}`;
}

function goalBlock(goal: string): string {
  const more = goal.length - GOAL_LIMIT;
  const rest = more > 0 ? `\n\n(${shownCount(more)} more characters; the run's journal has the whole text.)` : "";
  return `${codeBlock(shownLines(goal.slice(0, GOAL_LIMIT)))}${rest}`;
}

function criterionText(criterion: ReportedCriterion): string {
  const { id, text, command, path, contains, view, check, isStale } = criterion;
  const lines = [
    ...(command === undefined ? [] : [`- Command: ${codeSpan(command, 1_000)}`]),
    ...(path === undefined
      ? []
      : [`- File: ${codeSpan(path)}${contains === undefined ? "" : `, which must contain ${codeSpan(contains)}`}`]),
    ...(isClaimOnly(criterion)
      ? [`- ${codeSpan(text, 1_000)}`, "- Only the agent can say so; the engine checked nothing."]
      : []),
    ...(check === undefined ? [] : checkLines(check, isStale)),
    ...(check === undefined && !isClaimOnly(criterion) ? ["- The engine has not checked it."] : []),
    ...(criterion.greenBefore ? ["- Already passed before any work: proves nothing."] : []),
    ...(criterion.flaky ? ["- Flaky: it failed and passed on the same tree."] : []),
  ];
  const tail = check === undefined ? [] : lastLines(check.tail, TAIL_LINES, LINE_LENGTH);
  const output = tail.join("").trim() === "" ? "" : `\n\n${codeBlock(tail)}`;
  return `### ${MARKS[view]}: ${codeSpan(id)}\n\n${lines.join("\n")}${output}`;
}

function checkLines(check: CriterionChecked, isStale: boolean): string[] {
  const { before, after, evidence, failures, written = [] } = check;
  const changed = before === after ? "" : `, changed from ${tree(before)} by the check itself or by another program`;
  return [
    `- The engine ${check.kind === "file" ? "looked" : "ran it"} at ${shownTime(check.at)}, ${shownDuration(check.durationMs)}: ${outcomeWords(check)}${failures === undefined ? "" : `, ${counted(failures, "failure")}`}`,
    `- On the tree ${tree(after)}${changed}${isStale ? "; the files have changed since" : ""}`,
    ...(written.length === 0
      ? []
      : [`- Files written during the check: ${written.map((name) => codeSpan(name)).join(", ")}`]),
    ...(evidence === undefined ? [] : [`- Whole output: ${codeSpan(evidence, 500)} in the run directory`]),
  ];
}

function tree(hash: string): string {
  return codeSpan(hash.slice(0, TREE_LENGTH));
}

function stepLines({ steps }: LoopReport): string[] {
  const lines = steps.map(({ title, status, errors }) => {
    const last = errors.at(-1);
    const note = last?.note === undefined ? "" : `: ${codeSpan(last.note)}`;
    const failed = status === "failed" ? ` (failed, ${last?.errorClass ?? "unknown"}${note})` : "";
    return `- [${status === "done" ? "x" : " "}] ${codeSpan(title)}${failed}`;
  });
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function spendText(report: LoopReport): string {
  const { usd = 0 } = report.origin ?? {};
  const measured = measuredText(report);
  if (usd === 0) return measured;
  const isCounted = report.spend !== null && report.spend.calls > 0;
  return `${measured}${isCounted ? "\n- " : "\n\n"}Before the import: ${shownUsd(usd)}${isCounted ? ", included above" : ""}`;
}

function measuredText({ spend }: LoopReport): string {
  if (spend === null) return "Not measured.";
  if (spend.calls === 0) return "Unknown: no model call was found in the session's transcript.";
  const { tokens, usd, knownUsd, unpriced, pricedAt, calls } = spend;
  const prices = `list prices of ${shownLine(pricedAt, 40)}; a subscription is billed differently`;
  const dollars =
    usd === null
      ? `- Dollars: unknown. No price is known for ${unpriced.map((model) => codeSpan(model)).join(", ")}; the other models cost ${shownUsd(knownUsd)} (${prices})`
      : `- Dollars: ${shownUsd(usd)} (${prices})`;
  return [
    `- Tokens: ${shownCount(spend.totalTokens)} in ${shownCount(calls)} calls: ${shownCount(tokens.input)} input, ${shownCount(tokens.output)} output, ${shownCount(tokens.cacheRead)} read from the cache, ${shownCount(tokens.cacheWrite)} written to it`,
    dollars,
  ].join("\n");
}

function warningLines({ warnings }: LoopReport): string[] {
  const lines = warnings.map(({ code, iteration, at }) => {
    const where = [
      ...(iteration === undefined ? [] : [`iteration ${iteration}`]),
      ...(at === undefined ? [] : [shownTime(at)]),
    ];
    return `- Circuit breaker ${codeSpan(code)} warned${where.length === 0 ? "" : ` (${where.join(", ")})`}`;
  });
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function codeLines({ codeChanges }: LoopReport): string[] {
  if (codeChanges.length === 0) return [];
  const changed = new Set(
    codeChanges.flatMap(({ files, accepted }) => (accepted ? [] : files.map(({ path }) => path))),
  );
  const head = `${changed.size} ${changed.size === 1 ? "file" : "files"} of the process changed after it began.`;
  return [head, codeChanges.map(codeLine).join("\n")];
}

function codeLine({ at, files, missing, diff, accepted }: ReportedCodeChange): string {
  const who = accepted === undefined ? "changed" : `accepted by ${codeSpan(accepted.by)} (${accepted.via})`;
  const what = files.map(({ path, before, after }) => `${codeSpan(path)} ${shortHash(before)} → ${shortHash(after)}`);
  const gates = missing.map(({ file, text }) => `breakpoint ${codeSpan(text)} of ${codeSpan(file)}`);
  return [
    `- ${shownLine(at)}: ${who}${what.length === 0 ? "" : `: ${what.join(", ")}`}`,
    ...(gates.length === 0 ? [] : [`  ${accepted === undefined ? "Missing" : "Given up"}: ${gates.join("; ")}`]),
    ...(diff === undefined ? [] : [`  Diff: ${codeSpan(diff)} in the run directory`]),
  ].join("\n");
}

function shortHash(hash: string | undefined): string {
  return hash === undefined ? "none" : codeSpan(hash.slice(0, TREE_LENGTH));
}

function section(title: string, parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`## ${title}\n\n${parts.join("\n\n")}`];
}
