/** A run as a Mermaid flowchart, as GitHub and others draw it: each step, what it followed, and what came of it. */
import { shownDuration } from "../model/shown-amounts.js";
import { visibleLine } from "../model/shown-text.js";
import { type FlowNode, flowOf } from "./flow.js";
import type { SpanState, Timeline, TimelineSpan } from "./timeline.js";

/** Beyond this nobody reads a chart, and GitHub refuses it. */
const MAX_NODES = 150;
const MAX_TITLE = 60;

export function toMermaid(timeline: Timeline): string {
  const flow = flowOf(timeline.spans);
  const shown = flow.slice(0, MAX_NODES);
  const left = flow.length - shown.length;
  return [
    "flowchart TD",
    `  start([${quoted(visibleLine(timeline.process, MAX_TITLE))}])`,
    ...shown.map(({ span }, index) => `  ${nodeName(index)}${shapeOf(span)}:::${CLASSES[span.state]}`),
    ...shown.flatMap(({ after }, index) => edgesTo(shown, after, index)),
    ...endOf(timeline, shown, left),
    ...STYLES,
    "",
  ].join("\n");
}

function edgesTo(shown: readonly FlowNode[], after: readonly number[], index: number): string[] {
  if (after.length === 0) return [`  start --> ${nodeName(index)}`];
  return after.map((from) => `  ${nodeName(from)} -->${answerOf(shown[from])} ${nodeName(index)}`);
}

/** What was decided, on the way that it led to. */
function answerOf(node: FlowNode | undefined): string {
  const state = node?.span.state;
  return state === "approved" || state === "rejected" ? `|${state}|` : "";
}

function endOf({ marks, isOver }: Timeline, shown: readonly FlowNode[], left: number): string[] {
  const last = marks.findLast(({ kind }) => kind === "ended" || kind === "failed");
  const text = left > 0 ? `and ${left} more steps` : isOver ? (last?.text ?? "ended") : "under way";
  const followed = new Set(shown.flatMap(({ after }) => after));
  const ends = shown.flatMap((node, index) => (followed.has(index) ? [] : [{ node, name: nodeName(index) }]));
  const edges = ends.map(({ node, name }) => `  ${name} -->${answerOf(node)} finish`);
  return [`  finish([${quoted(text)}])`, ...(edges.length === 0 ? ["  start --> finish"] : edges)];
}

function nodeName(index: number): string {
  return `s${index + 1}`;
}

function shapeOf(span: TimelineSpan): string {
  const text = quoted(labelOf(span));
  if (span.kind === "breakpoint") return `{{${text}}}`;
  return span.who === "time" ? `(${text})` : `[${text}]`;
}

function labelOf({ title, kind, from, to, attempts }: TimelineSpan): string {
  const took = to === undefined ? "under way" : shownDuration(to - from);
  const tries = attempts.length > 1 ? `, ${attempts.length} attempts` : "";
  return `${visibleLine(title, MAX_TITLE)}\n${kind}, ${took}${tries}`;
}

const SPECIAL = /[^\p{L}\p{N} .,()/_\n-]/gu;

/** Mermaid reads quotes, brackets, markdown and HTML in labels; as numbers they are only letters. */
function quoted(text: string): string {
  const safe = text.replace(SPECIAL, (letter) => `#${letter.codePointAt(0)};`);
  return `"${safe.replaceAll("\n", "<br/>")}"`;
}

const CLASSES: Readonly<Record<SpanState, string>> = {
  ok: "done",
  approved: "done",
  rejected: "no",
  error: "no",
  dropped: "gone",
  open: "open",
};

const STYLES = [
  "  classDef done stroke:#2e7d32,stroke-width:2px",
  "  classDef no stroke:#c62828,stroke-width:2px",
  "  classDef open stroke:#b26a00,stroke-width:2px,stroke-dasharray:4 3",
  "  classDef gone stroke:#888888,stroke-dasharray:2 2",
];
