/** A run as a waterfall in SVG: one row per step, bars where something worked on it, in one file without any script. */

import { shownDuration, shownTime } from "../model/shown-amounts.js";
import { visibleLine } from "../model/shown-text.js";
import type { Performer } from "../model/task-kinds.js";
import type { SpanState, Timeline, TimelineMark, TimelineSpan } from "./timeline.js";

const WIDTH = 960;
const NAMES = 260;
const MARGIN = 16;
const ROW = 22;
const BAR = 12;
const HEAD = 78;
const FOOT = 44;
/** Taller pictures are of no use in a pull request. */
const MAX_ROWS = 200;
const MAX_TITLE = 34;
const TICKS = 5;
const CHART = WIDTH - NAMES - 2 * MARGIN;
/** So narrow that it would vanish otherwise. */
const MIN_BAR = 2;

export function toSvg(timeline: Timeline): string {
  const rows = timeline.spans.slice(0, MAX_ROWS);
  const left = timeline.spans.length - rows.length;
  const height = HEAD + Math.max(1, rows.length) * ROW + FOOT;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(`Timeline of ${timeline.runId}`)}">`,
    STYLE,
    `<rect class="page" width="${WIDTH}" height="${height}" rx="8"/>`,
    ...headOf(timeline),
    ...ticksOf(timeline, height),
    ...rows.flatMap((span, row) => rowOf(timeline, span, row)),
    ...timeline.marks.filter(isShown).map((mark) => markOf(timeline, mark, height)),
    text({ x: MARGIN, y: height - 12, kind: "quiet" }, left > 0 ? `and ${left} more steps` : legend(timeline)),
    "</svg>",
  ].join("\n")}\n`;
}

function headOf({ process, runId, from, to, isOver, marks, split }: Timeline): string[] {
  const last = marks.findLast(({ kind }) => kind === "ended" || kind === "failed");
  const state = isOver ? (last?.text ?? "ended") : "under way";
  const parts = [
    `${shownDuration(to - from)} in all`,
    `working ${shownDuration(split.workingMs)}`,
    `waiting for a person ${shownDuration(split.waitingOnPersonMs)}`,
    `waiting for time ${shownDuration(split.waitingOnTimeMs)}`,
    `idle ${shownDuration(split.idleMs)}`,
  ];
  return [
    text({ x: MARGIN, y: 26, kind: "title" }, visibleLine(`${process}: ${state}`, 90)),
    text({ x: MARGIN, y: 44, kind: "quiet" }, `${visibleLine(runId, 60)}, ${shownTime(new Date(from).toISOString())}`),
    text({ x: MARGIN, y: 62, kind: "quiet" }, parts.join(" · ")),
  ];
}

function ticksOf({ from, to }: Timeline, height: number): string[] {
  return Array.from({ length: TICKS + 1 }, (_, tick) => {
    const at = ((to - from) * tick) / TICKS;
    const x = round(NAMES + MARGIN + (CHART * tick) / TICKS);
    const anchor = tick === TICKS ? "end" : tick === 0 ? "start" : "middle";
    return [
      `<line class="tick" x1="${x}" y1="${HEAD - 4}" x2="${x}" y2="${height - FOOT}"/>`,
      text({ x, y: height - FOOT + 14, kind: "quiet", anchor }, tick === 0 ? "0" : shownDuration(at)),
    ].join("");
  });
}

function rowOf(timeline: Timeline, span: TimelineSpan, row: number): string[] {
  const y = HEAD + row * ROW;
  const middle = y + ROW / 2;
  const { title, state, from, to = timeline.to, who, attempts } = span;
  const bars = attempts.length === 0 ? [{ from, to, end: "" }] : attempts;
  const name = `${title}: ${state}, ${shownDuration(to - from)}`;
  return [
    `<g><title>${escaped(visibleLine(name, 300))}</title>`,
    text({ x: MARGIN, y: middle + 4, kind: `name ${STATES[state]}` }, visibleLine(title, MAX_TITLE)),
    bar(timeline, { from, to, y: middle - 1, height: 2, kind: "wait" }),
    ...bars.map((one) =>
      bar(timeline, {
        from: one.from,
        to: one.to ?? timeline.to,
        y: middle - BAR / 2,
        height: BAR,
        kind: barKind(span, who, one.end),
      }),
    ),
    "</g>",
  ];
}

function barKind({ state, to }: TimelineSpan, who: Performer, end: string): string {
  const isBad = end === "" ? state === "error" : end !== "ok" && end !== "running";
  const open = to === undefined && (end === "" || end === "running") ? " open" : "";
  return `${isBad ? "bad" : WHO[who]}${open}`;
}

function bar(
  { from: begin, to: end }: Timeline,
  { from, to, y, height, kind }: { from: number; to: number; y: number; height: number; kind: string },
): string {
  const scale = (at: number): number => (end > begin ? ((at - begin) / (end - begin)) * CHART : 0);
  const x = NAMES + MARGIN + Math.min(scale(from), CHART - MIN_BAR);
  const width = Math.max(MIN_BAR, scale(to) - scale(from));
  return `<rect class="${kind}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" rx="2"/>`;
}

function isShown({ kind }: TimelineMark): boolean {
  return kind === "code-changed" || kind === "contract-changed";
}

function markOf({ from, to }: Timeline, { at, text: what }: TimelineMark, height: number): string {
  const x = round(NAMES + MARGIN + (to > from ? ((at - from) / (to - from)) * CHART : 0));
  return `<g><title>${escaped(what)}</title><line class="mark" x1="${x}" y1="${HEAD - 4}" x2="${x}" y2="${height - FOOT}"/></g>`;
}

function legend({ marks }: Timeline): string {
  const changed = marks.some(isShown) ? " · red line: code or contract changed" : "";
  return `blue: engine and agents · amber: waiting for a person · grey: waiting for time · red: failed${changed}`;
}

function text(
  { x, y, kind, anchor = "start" }: { x: number; y: number; kind: string; anchor?: string },
  words: string,
): string {
  return `<text class="${kind}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
// What XML cannot hold, even as a number.
const UNFIT = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function escaped(words: string): string {
  return words.replace(UNFIT, "\ufffd").replace(/[&<>"']/gu, (letter) => ENTITIES[letter] ?? letter);
}

const WHO: Readonly<Record<Performer, string>> = {
  person: "person",
  time: "time",
  agent: "work",
  engine: "work",
  worker: "work",
  outside: "work",
};

const STATES: Readonly<Record<SpanState, string>> = {
  ok: "",
  approved: "",
  rejected: "no",
  error: "no",
  dropped: "gone",
  open: "now",
};

const STYLE = `<style>
.page{fill:#fff;stroke:#d9dee5}text{font:12px system-ui,sans-serif;fill:#1c2430}.title{font-weight:600;font-size:15px}
.quiet{fill:#5d6877;font-size:11px}.no{fill:#b3261e}.gone{fill:#8a94a3}.now{fill:#8a5a00}
.tick{stroke:#e6eaf0}.mark{stroke:#b3261e;stroke-dasharray:3 3}
.work{fill:#2f6fde}.person{fill:#e0a100}.time{fill:#aab3c0}.bad{fill:#d13c32}.wait{fill:#d4dae3}.open{opacity:.55}
@media (prefers-color-scheme:dark){.page{fill:#12161c;stroke:#2b333e}text{fill:#e6eaf0}.quiet{fill:#9aa5b4}
.no{fill:#ff8a80}.gone{fill:#77818f}.now{fill:#ffc857}.tick{stroke:#232a33}.wait{fill:#38414d}.work{fill:#5b93ff}}
</style>`;
