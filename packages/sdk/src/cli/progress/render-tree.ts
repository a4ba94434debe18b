import { displayWidth, oneLine, toolLine } from "../output/display-width.js";
import type { Paint } from "../output/paint.js";
import { chooseRows, type Row } from "./choose-rows.js";
import {
  type Counts,
  doneIn,
  type EffectNode,
  type EffectState,
  effectName,
  openIn,
  type ParallelNode,
  type ProgressModel,
  tookMs,
  totalIn,
} from "./progress-model.js";
import { paintSpans, type Span, toColumn } from "./spans.js";
import { STATE_STYLES, type Symbols, UNICODE_SYMBOLS } from "./symbols.js";
import { durationText, elapsedText, momentText } from "./time-text.js";

/** The screen to draw for. */
interface Screen {
  columns: number;
  rows: number;
  nowMs: number;
  paint: Paint;
  /** Which picture of the spinner. */
  frame: number;
  symbols?: Symbols;
}

/** The run as lines of text: a header and its tree, never wider or higher than the screen. */
export function renderTree(model: ProgressModel, screen: Screen): string[] {
  const symbols = screen.symbols ?? UNICODE_SYMBOLS;
  const look: Look = {
    ...screen,
    symbols,
    layout: layoutFor(model, screen.columns),
    ended: model.ending !== undefined,
  };
  const paintLine = (spans: readonly Span[]): string =>
    paintSpans(spans, screen.columns, { paint: screen.paint, cut: symbols.cut });
  const rows = chooseRows(model, screen.rows - 1);
  return [headerSpans(model, look), ...rows.map((row) => rowSpans(row, look))].map(paintLine);
}

interface Look extends Screen {
  symbols: Symbols;
  layout: Layout;
  ended: boolean;
}

/** Where the columns are; a width of 0 leaves one out. */
interface Layout {
  name: number;
  kind: number;
  time: number;
}

/** Room for `59m 59s`, `15:30:00` and `Mar 2026`. */
const TIME_WIDTH = 8;

function layoutFor(model: ProgressModel, columns: number): Layout {
  const kind = columns < 60 ? 0 : Math.min(12, Math.max(5, model.kindWidth));
  const most = columns < 60 ? columns - TIME_WIDTH - 2 : Math.min(56, Math.floor(columns * 0.4));
  // In steps, so that a slightly longer name does not move everything.
  const wanted = Math.ceil((model.nameWidth + 2) / 4) * 4;
  return { name: Math.max(8, Math.min(most, Math.max(24, wanted))), kind, time: TIME_WIDTH };
}

function headerSpans(model: ProgressModel, look: Look): Span[] {
  const { counts } = model.root;
  const total = totalIn(counts);
  const time = elapsedText(tookMs(model, look.nowMs));
  const id = oneLine(model.run?.runId ?? "");
  const shown: (Span & { count: number })[] = [
    { count: total, text: `${doneIn(counts)}/${total} done` },
    { count: counts.failed, text: `${counts.failed} failed`, style: "red" },
    { count: counts.rejected, text: `${counts.rejected} rejected`, style: "yellow" },
    { count: look.ended ? 0 : counts.asking, text: `${counts.asking} waiting for you`, style: "yellow" },
  ];
  const facts: Span[] = shown.filter(({ count }) => count > 0).flatMap((span) => [{ text: "  " }, span]);
  const process = oneLine(model.run?.processId ?? "");
  const end: Span[] = [{ text: "  " }, { text: time, style: "dim" }];
  const middle: Span[] = process === "" ? [] : [{ text: "  " }, { text: process, style: "dim" }];
  const name: Span = { text: id, style: "bold" };
  // Whatever does not fit goes: first the process, then the counts; who it is and how long stay.
  for (const spans of [
    [name, ...middle, ...facts, ...end],
    [name, ...facts, ...end],
    [name, ...facts.slice(0, 2), ...end],
  ])
    if (widthOf(spans) <= look.columns) return spans;
  const room = look.columns - widthOf(end);
  return room < 8
    ? [name]
    : [{ text: toColumn(id, Math.min(room, displayWidth(id)), look.symbols.cut), style: "bold" }, ...end];
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

function rowSpans({ guides, node }: Row, look: Look): Span[] {
  const { symbols, columns } = look;
  const drawn = guides.map((guide) => symbols.guides[guide]).join("");
  // Deep trees keep their innermost lines.
  const lead = drawn.slice(-2 * Math.max(1, Math.floor(columns / 8)));
  if (node.type === "gap") return gapSpans(lead, node.counts, look);
  return node.type === "parallel" ? parallelSpans(lead, node, look) : effectSpans(lead, node, look);
}

function gapSpans(lead: string, counts: Counts, { symbols }: Look): Span[] {
  return [
    { text: lead, style: "dim" },
    { text: `${symbols.cut} ${describeCounts(counts, [...WORTH_SAYING, "done"])}`, style: "dim" },
  ];
}

function describeCounts(counts: Counts, states: readonly EffectState[]): string {
  return states
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${state}`)
    .join(", ");
}

/** What the count of a group does not say already. */
const WORTH_SAYING: readonly EffectState[] = [
  "failed",
  "rejected",
  "asking",
  "running",
  "retrying",
  "sleeping",
  "queued",
  "abandoned",
];

function parallelSpans(lead: string, group: ParallelNode, look: Look): Span[] {
  const { counts } = group;
  const state = groupState(counts);
  const [total, open] = [totalIn(counts), openIn(counts)];
  const time =
    open > 0
      ? elapsedText(look.nowMs - group.requestedMs)
      : durationText((group.finishedMs ?? group.requestedMs) - group.requestedMs);
  return columnsOf(look, {
    lead,
    state,
    name: `parallel ${doneIn(counts)}/${total}`,
    nameStyle: undefined,
    kind: "",
    time: look.ended && open > 0 ? "" : time,
    tail: [{ text: describeCounts(counts, WORTH_SAYING), style: "dim" }],
  });
}

function groupState(counts: Counts): EffectState {
  const order: readonly EffectState[] = [
    "running",
    "retrying",
    "asking",
    "queued",
    "sleeping",
    "failed",
    "rejected",
    "abandoned",
  ];
  const open = order.find((state) => counts[state] > 0);
  return open ?? "done";
}

function effectSpans(lead: string, effect: EffectNode, look: Look): Span[] {
  const { state } = effect;
  return columnsOf(look, {
    lead,
    state,
    name: oneLine(effectName(effect)),
    nameStyle: state === "queued" || state === "abandoned" ? "dim" : undefined,
    kind: oneLine(effect.kind),
    time: effectTime(effect, look),
    tail: tailOf(effect, look),
  });
}

function effectTime(effect: EffectNode, { nowMs, ended }: Look): string {
  const { state, startedMs, finishedMs, untilMs } = effect;
  if (state === "running") return ended ? "" : elapsedText(nowMs - (startedMs ?? nowMs));
  if (state === "retrying") return ended ? "" : `in ${elapsedText((untilMs ?? nowMs) + 999 - nowMs)}`;
  if (state === "sleeping") return untilMs === undefined ? "" : momentText(untilMs, nowMs);
  if (finishedMs === undefined) return "";
  // What nobody has started, such as a question, took as long as it was open.
  return durationText(finishedMs - (startedMs ?? effect.requestedMs));
}

function tailOf(effect: EffectNode, look: Look): Span[] {
  const { state, attempt, line, note } = effect;
  const said: Span | undefined = saidBy(state, state === "running" ? line : note);
  const tried: Span | undefined = attempt > 1 ? { text: `attempt ${attempt}`, style: "yellow" } : undefined;
  if (tried === undefined || said === undefined) return [tried ?? said ?? { text: "" }];
  return [tried, { text: look.symbols.between, style: "dim" }, said];
}

function saidBy(state: EffectState, text: string | undefined): Span | undefined {
  if (state === "asking") return { text: "waiting for an answer", style: "yellow" };
  if (state === "sleeping") return { text: "sleeping", style: "dim" };
  if (text === undefined || text === "") return undefined;
  if (state === "running") return { text: toolLine(text), style: "dim" };
  return { text: oneLine(text), style: state === "failed" ? "red" : "dim" };
}

interface Cells {
  lead: string;
  state: EffectState;
  name: string;
  nameStyle: Span["style"];
  kind: string;
  time: string;
  tail: Span[];
}

/** Below this a cut line says nothing. */
const MIN_TAIL = 8;

function columnsOf({ symbols, layout, frame, columns, ended }: Look, cells: Cells): Span[] {
  const { lead, state, name, kind, time, tail } = cells;
  const { cut } = symbols;
  const symbol = state === "running" && !ended ? symbols.spinner[frame % symbols.spinner.length] : undefined;
  const still = state === "running" ? symbols.states.queued : symbols.states[state];
  const used = layout.name + (layout.kind === 0 ? 0 : layout.kind + 2) + layout.time + 2;
  return [
    { text: lead, style: "dim" },
    { text: symbol ?? still, style: STATE_STYLES[state] },
    { text: " " },
    { text: toColumn(name, Math.max(1, layout.name - lead.length - 2), cut), style: cells.nameStyle },
    { text: layout.kind === 0 ? "" : `  ${toColumn(kind, layout.kind, cut)}`, style: "dim" },
    { text: ` ${time.padStart(layout.time)}`, style: "dim" },
    ...(columns - used - 2 < MIN_TAIL ? [] : [{ text: "  " }, ...tail]),
  ];
}
