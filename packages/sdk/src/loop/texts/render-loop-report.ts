/** The report of a loop as Markdown. Nothing in a goal, a command or an output can pass for the report's own words. */
import type { CriterionChecked } from "../../model/loop-events.js";
import { shownCount, shownDuration, shownUsd } from "../../model/shown-amounts.js";
import { codeBlock, codeSpan, lastLines, shownLine, shownLines } from "../../model/shown-text.js";
import type { LoopOutcome, LoopReport, ReportedCriterion } from "./loop-report.js";
import { outcomeWords } from "./outcome-words.js";

const GOAL_LIMIT = 4_000;
const TAIL_LINES = 20;
const LINE_LENGTH = 400;
const TREE_LENGTH = 12;

const HEADLINES: Readonly<Record<LoopOutcome, (report: LoopReport) => string>> = {
  verified: ({ criteria }) =>
    `✅ **Done, verified by the engine.** It ran the checks below itself and found every one met.${criteria.some(({ kind }) => kind === "claim") ? " What only the agent can say is marked with a question mark." : ""}`,
  proof: () =>
    "✅ **Done, by completion proof.** The process of the run has completed, and the agent has given its proof.",
  claim: ({ criteria }) =>
    `⚠️ **Ended by claim only, not verified.** The agent said that it was done; ${criteria.some(({ kind }) => kind !== "claim") ? "the engine did not find all of it out itself" : "there was nothing that the engine could check"}.`,
  cancelled: () => "🚫 **Cancelled.** What was done until then is kept.",
  paused: () => "⏸ **Paused.** Nothing is lost.",
  "under-way": () => "🔄 **Under way.**",
};

const MARKS: Readonly<Record<ReportedCriterion["view"], string>> = {
  met: "✓ met",
  unmet: "✗ not met",
  unchecked: "? not checked on the present tree",
  claimed: "? claimed by the agent, not checked",
  kept: "✓ has not happened",
  violated: "✗ has happened",
};

export function renderLoopReport(report: LoopReport): string {
  const parts = [
    `# Loop report: ${codeSpan(report.title)}`,
    outcomeText(report),
    factLines(report),
    `## Goal\n\n${goalBlock(report.goal)}`,
    ...section("Criteria", report.criteria.map(criterionText)),
    ...section("What must not happen", report.mustNot.map(criterionText)),
    ...section("Steps", stepLines(report)),
    `## Spend\n\n${spendText(report)}`,
    ...section("Warnings", warningLines(report)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function outcomeText(report: LoopReport): string {
  const { outcome, code, message, resume } = report;
  return [
    HEADLINES[outcome](report),
    ...(message === undefined ? [] : [`Why: ${codeSpan(message, 1_000)}`]),
    ...(code === undefined ? [] : [`Rule: ${codeSpan(code)}`]),
    ...(resume === undefined
      ? []
      : [`To go on: ${codeSpan(resume.inSession)} in the agent's session, or ${codeSpan(resume.inTerminal)}`]),
  ].join("\n\n");
}

function factLines(report: LoopReport): string {
  const { limits, sessions, at, durationMs, next } = report;
  const until = at === undefined ? report.madeAt : at;
  return [
    `- Run: ${codeSpan(report.runId)}`,
    `- From ${shownLine(report.startedAt)} to ${shownLine(until)}${durationMs === undefined ? "" : ` (${shownDuration(durationMs)})`}`,
    `- Iteration: ${report.iteration}${limits.iterations > 0 ? ` of ${limits.iterations}` : ", without a limit"}`,
    `- Kind: ${report.mode}, ${report.shape}`,
    ...(sessions.length === 0 ? [] : [`- Sessions: ${sessions.map((id) => codeSpan(id)).join(", ")}`]),
    ...(next === undefined ? [] : [`- Next: ${codeSpan(next)}`]),
    `- Report made: ${shownLine(report.madeAt)}`,
  ].join("\n");
}

function goalBlock(goal: string): string {
  const more = goal.length - GOAL_LIMIT;
  const rest = more > 0 ? `\n\n(${shownCount(more)} characters more; the journal of the run has all of it.)` : "";
  return `${codeBlock(shownLines(goal.slice(0, GOAL_LIMIT)))}${rest}`;
}

function criterionText(criterion: ReportedCriterion): string {
  const { id, text, kind, command, path, contains, view, check, isStale } = criterion;
  const lines = [
    ...(command === undefined ? [] : [`- Command: ${codeSpan(command, 1_000)}`]),
    ...(path === undefined
      ? []
      : [`- File: ${codeSpan(path)}${contains === undefined ? "" : `, which has to contain ${codeSpan(contains)}`}`]),
    ...(kind === "claim"
      ? [`- ${codeSpan(text, 1_000)}`, "- Nobody but the agent can say so; the engine has checked nothing."]
      : []),
    ...(check === undefined ? [] : checkLines(check, isStale)),
    ...(check === undefined && kind !== "claim" ? ["- The engine has not checked it."] : []),
    ...(criterion.greenBefore ? ["- Was green before any work: no proof of work."] : []),
    ...(criterion.flaky ? ["- Flaky: it was red and green on the same tree."] : []),
  ];
  const tail = check === undefined ? [] : lastLines(check.tail, TAIL_LINES, LINE_LENGTH);
  const output = tail.join("").trim() === "" ? "" : `\n\n${codeBlock(tail)}`;
  return `### ${MARKS[view]}: ${codeSpan(id)}\n\n${lines.join("\n")}${output}`;
}

function checkLines(check: CriterionChecked, isStale: boolean): string[] {
  const { before, after, evidence, failures } = check;
  const changed =
    before === after ? "" : `, which the check itself, or somebody meanwhile, made out of ${tree(before)}`;
  return [
    `- The engine ${check.kind === "file" ? "looked" : "ran it"} at ${shownLine(check.at)}, ${shownDuration(check.durationMs)}: ${outcomeWords(check)}${failures === undefined ? "" : `, ${failures} failures`}`,
    `- On the tree ${tree(after)}${changed}${isStale ? "; the files have changed since" : ""}`,
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

function spendText({ spend }: LoopReport): string {
  if (spend === null) return "Not measured.";
  const { tokens, usd, knownUsd, unpriced, pricedAt, calls } = spend;
  const prices = `list prices of ${shownLine(pricedAt, 40)}; a subscription is billed differently`;
  const dollars =
    usd === null
      ? `- Dollars: unknown. No price is known for ${unpriced.map((model) => codeSpan(model)).join(", ")}; the other models come to ${shownUsd(knownUsd)} (${prices})`
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
      ...(at === undefined ? [] : [shownLine(at)]),
    ];
    return `- Circuit breaker ${codeSpan(code)} has warned${where.length === 0 ? "" : ` (${where.join(", ")})`}`;
  });
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function section(title: string, parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`## ${title}\n\n${parts.join("\n\n")}`];
}
