import { localContextFiles } from "../../machine/context-files.js";
import { questionReceipts } from "../../machine/desk/inspect-channels.js";
import { statusOf } from "../../model/run-state.js";
import { counted, shownTime } from "../../model/shown-amounts.js";
import { quotedLines, shownLines, visibleLine } from "../../model/shown-text.js";
import { receiptText } from "../../notify/receipt-text.js";
import type { Receipt } from "../../notify/receipts.js";
import { describeDecision } from "../../runs/decide-breakpoint.js";
import { type BreakpointDescription, describeBreakpoint, type ShownContent } from "../../runs/describe-breakpoint.js";
import { findNamedBreakpoint } from "../arguments/find-breakpoint.js";
import type { Command } from "../grammar/invocation.js";
import { age } from "../output/output.js";
import type { Paint } from "../output/paint.js";

/** This many lines of each file are printed; --json has everything that was recorded. */
const PRINTED_LINES = 200;

export const command: Command = async (invocation) => {
  const found = await findNamedBreakpoint(invocation);
  const description = await describeBreakpoint(found, localContextFiles);
  await found.journal.saveCaches();
  const isBlocked = description.state === "open" && statusOf(found.journal.summary) === "blocked";
  const next = isBlocked ? [`babysitter run:status ${description.runId}`] : nextOf(description);
  const receipts = questionReceipts(invocation.env, {
    runDir: found.journal.runDir,
    effectId: description.breakpointId,
  });
  const note = isBlocked ? [invocation.paint("yellow", BLOCKED_TEXT)] : [];
  return {
    document: { ...description, receipts, next: next[0] ?? null },
    text: render(description, [...receiptLines(receipts), ...note, ...nextLines(next)], invocation.paint),
  };
};

const BLOCKED_TEXT =
  "The run is blocked: its process no longer matches its journal. Fix that first: until then, an answer has no effect.";

/** Nothing where nobody is told anything. */
function receiptLines(receipts: readonly Receipt[]): string[] {
  return receipts.map((receipt, index) => `${index === 0 ? "channel:" : "        "} ${receiptText(receipt)}`);
}

function nextLines(commands: readonly string[]): string[] {
  return commands.map((line, index) => `${index === 0 ? "next:" : "     "} ${line}`);
}

function nextOf({ state, breakpointId, options, runId }: BreakpointDescription): string[] {
  if (state !== "open") return state === "abandoned" ? [] : [`babysitter run:status ${runId}`];
  const choice = options.length === 0 ? "" : " --option …";
  return [
    `babysitter breakpoint:approve ${breakpointId}${choice}`,
    `babysitter breakpoint:reject ${breakpointId} --reason "…"`,
    `babysitter breakpoint:comment ${breakpointId} --text "…"`,
  ];
}

function render(description: BreakpointDescription, last: string[], paint: Paint): string {
  const { breakpointId, runId, title, question, risk, options, facts, files, comments, result, shown } = description;
  const { approve, reject } = description.consequences ?? {};
  const asked = `${description.state}, asked ${age(description.askedAt, new Date())} ago`;
  return [
    `${breakpointId}  ${paint("dim", `${asked}, ${runId}`)}`,
    ...(title === undefined || title === question ? [] : [`  ${paint("bold", visibleLine(title))}`]),
    ...shownLines(question.trimEnd()).map((line, index) => `${index === 0 ? "  ? " : "  | "}${paint("bold", line)}`),
    ...(risk === undefined ? [] : [`risk: ${risk === "high" ? paint("red", risk) : visibleLine(risk)}`]),
    ...(approve === undefined ? [] : [`  approving: ${visibleLine(approve)}`]),
    ...(reject === undefined ? [] : [`  rejecting: ${visibleLine(reject)}`]),
    ...options.map(({ label, id, rejects }) => {
      const name = id === undefined || id === label ? "" : paint("dim", ` (${visibleLine(id)})`);
      return `  - ${visibleLine(label)}${name}${rejects ? paint("dim", " (a rejection)") : ""}`;
    }),
    ...Object.entries(facts).map(([name, value]) => `  * ${visibleLine(name)}: ${visibleLine(factText(value))}`),
    ...files.flatMap((file) => fileLines(file, paint)),
    ...(comments.length === 0 ? [] : ["", "Comments:"]),
    ...comments.flatMap((comment) => [
      `  ${visibleLine(comment.author ?? "someone")}, ${comment.via}, ${shownTime(comment.at)}${placeText(comment)}`,
      ...(comment.quote === undefined ? [] : shownLines(comment.quote).map((line) => paint("dim", `    > ${line}`))),
      ...quotedLines(comment.text),
    ]),
    ...(description.earlier ?? []).map((decision) =>
      paint("dim", `asked again; before that: ${visibleLine(describeDecision(decision))}`),
    ),
    ...(result === null ? [] : ["", visibleLine(describeDecision(result))]),
    ...(shown === null ? [] : [paint("dim", `shown: ${shown}`)]),
    ...last,
  ].join("\n");
}

function placeText({ path, line, endLine, side }: BreakpointDescription["comments"][number]): string {
  if (path === undefined) return "";
  const lines = line === undefined ? "" : `:${line}${endLine === undefined ? "" : `-${endLine}`}`;
  return `, on ${visibleLine(path)}${lines}${side === "base" ? " before the change" : ""}`;
}

function factText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fileLines(file: ShownContent, paint: Paint): string[] {
  const { path, bytes, cutAt, refused, now, text } = file;
  const size = bytes === undefined ? "" : `, ${counted(bytes, "byte")}`;
  const heading = `--- ${visibleLine(path)}${size}`;
  const changed =
    now === undefined ? [] : [paint("yellow", `    changed since asked${now === "changed" ? "" : `: ${now}`}`)];
  if (refused !== undefined) return ["", heading, ...changed, paint("yellow", `    not shown: ${refused}`)];
  const lines = shownLines((text ?? "").replace(/\n$/, ""));
  const left = lines.length - PRINTED_LINES;
  const marks = [
    ...(left > 0 ? [`    … ${counted(left, "more line")}; use --json to see them`] : []),
    ...(cutAt === undefined ? [] : [`    truncated after ${cutAt} of ${bytes ?? 0} bytes`]),
  ];
  return [
    "",
    heading,
    ...changed,
    ...lines.slice(0, PRINTED_LINES).map((line) => `  | ${line}`),
    ...marks.map((mark) => paint("dim", mark)),
  ];
}
