/** The result of a check as people read it: the tree of requests, then what was found. */
import type { ProcessCheck } from "../../machine/programs/check-process.js";
import { counted } from "../../model/shown-amounts.js";
import { shownLine } from "../../model/shown-text.js";
import { line } from "../../model/terminal-text.js";
import type { Finding } from "../../rehearsal/finding.js";
import type { PlayedRequest } from "../../rehearsal/play.js";
import type { ShownPlay } from "../../rehearsal/rehearse.js";
import type { Paint } from "../output/paint.js";

/** A tree that is longer is cut; --json has all of it. */
const MAX_LINES = 60;
const MAX_BRANCHES = 4;

export function checkText({ file, export: name, plays, findings }: ProcessCheck, paint: Paint): string {
  const [first, ...rejections] = plays;
  const head = paint("bold", line`${file}${name === undefined ? "" : `#${name}`}`);
  const tree =
    first === undefined
      ? []
      : [
          treeText(
            inFile(first, file),
            rejections.map((one) => inFile(one, file)),
          ),
        ];
  return [head, ...tree, ...findings.map((one) => findingText(one, paint))].join("\n\n");
}

/** Places in the process file itself are known by their line. */
function inFile(play: ShownPlay, file: string): ShownPlay {
  const short = ({ location, ...request }: PlayedRequest): PlayedRequest => {
    if (location === undefined) return request;
    const place = location.replace(/:(\d+):\d+$/u, ":$1");
    return { ...request, location: place.startsWith(`${file}:`) ? `line ${place.slice(file.length + 1)}` : place };
  };
  return { ...play, requests: play.requests.map(short) };
}

export function totalText(counts: { errors: number; warnings: number; notes: number }, paint: Paint): string {
  const { errors, warnings } = counts;
  if (errors === 0 && warnings === 0) return paint("green", "No problems found.");
  const parts = [
    ...(errors > 0 ? [paint("red", counted(errors, "error"))] : []),
    ...(warnings > 0 ? [paint("yellow", counted(warnings, "warning"))] : []),
  ];
  return `${parts.join(", ")}.`;
}

const STYLES = { error: "red", warning: "yellow", note: "cyan" } as const;

function findingText({ level, code, file, line: number, message, hint }: Finding, paint: Paint): string {
  const place = file === undefined ? "" : ` ${file}${number === undefined ? "" : `:${number}`}`;
  return [
    `${paint(STYLES[level], `${level} ${code}`)}${line`${place}`}`,
    `  ${shownLine(message, 600)}`,
    `  → ${shownLine(hint, 600)}`,
  ].join("\n");
}

/** A line of the tree, with what is shown beside it. */
type Row = readonly [what: string, where: string];

function treeText(play: ShownPlay, rejections: readonly ShownPlay[]): string {
  const rows = scopeRows(play, rejections, "", "  ");
  const shown = rows.slice(0, MAX_LINES);
  const more = rows.length > MAX_LINES ? [`  … ${rows.length - MAX_LINES} more lines; --json has every request`] : [];
  return ["Requests, with invented results:", ...aligned(shown), ...more, `  ${endText(play.end)}`].join("\n");
}

/** What stands alone in its row may be longer than what has a place beside it. */
function aligned(rows: readonly Row[]): string[] {
  const width = Math.max(0, ...rows.map(([what, where]) => (where === "" ? 0 : what.length)));
  return rows.map(([what, where]) => (where === "" ? what : `${what.padEnd(width)}  ${where}`));
}

/** Something that a scope does, and how it is known when it is done again. */
interface Item {
  key: string;
  rows: Row[];
}

/** The requests of one scope in their order, with branches where they begin. */
function scopeRows(play: ShownPlay, rejections: readonly ShownPlay[], scope: string, indent: string): Row[] {
  const groups = new Set<string>();
  const items: Item[] = [];
  for (const request of play.requests) {
    if (!request.scope.startsWith(scope)) continue;
    const [group] = request.scope.slice(scope.length).split("[", 1);
    const key = `${request.kind} ${request.taskId} ${request.location ?? request.invocationKey}`;
    if (group === undefined || group === "")
      items.push({ key, rows: [requestRow(request, indent), ...rejectionRows(play, rejections, request, indent)] });
    else if (!groups.has(group)) {
      groups.add(group);
      items.push({ key: `${key} in parallel`, rows: groupRows(play, rejections, scope + group, indent) });
    }
  }
  return withoutRounds(items, indent);
}

/** Loops of more steps are shown in full. */
const MAX_ROUND = 8;

/** What is done again and again is shown once. */
function withoutRounds(items: readonly Item[], indent: string): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < items.length; ) {
    const { length, times } = roundAt(items, at);
    rows.push(...items.slice(at, at + length).flatMap((item) => item.rows));
    if (times > 1) rows.push([`${indent}↻ ${length === 1 ? "" : `the last ${length} steps `}${times} times`, ""]);
    at += length * times;
  }
  return rows;
}

function roundAt(items: readonly Item[], at: number): { length: number; times: number } {
  for (let length = 1; length <= MAX_ROUND; length += 1) {
    let same = 0;
    while (at + length + same < items.length && items[at + same]?.key === items[at + length + same]?.key) same += 1;
    if (same >= length) return { length, times: 1 + Math.floor(same / length) };
  }
  return { length: 1, times: 1 };
}

function groupRows(play: ShownPlay, rejections: readonly ShownPlay[], group: string, indent: string): Row[] {
  const branches = new Set(
    play.requests.flatMap(({ scope }) => (scope.startsWith(`${group}[`) ? [firstBranch(scope, group)] : [])),
  );
  const shown = [...branches].slice(0, MAX_BRANCHES).flatMap((branch, index): Row[] => {
    const rows = scopeRows(play, rejections, branch, `${indent}    `);
    const [first, ...rest] = rows;
    const mark = `${indent}  ${index + 1} `;
    return first === undefined ? [] : [[mark + first[0].trimStart(), first[1]], ...rest];
  });
  const hidden = branches.size - MAX_BRANCHES;
  const more: Row[] = hidden > 0 ? [[`${indent}  … ${hidden} more ${hidden === 1 ? "branch" : "branches"}`, ""]] : [];
  return [[`${indent}parallel`, ""], ...shown, ...more];
}

/** `par1[0]/` of `par1[0]/par2[3]/`, for the group `par1`. */
function firstBranch(scope: string, group: string): string {
  return scope.slice(0, scope.indexOf("]/", group.length) + 2);
}

function requestRow({ kind, taskId, title, location }: PlayedRequest, indent: string): Row {
  const name = title ?? (taskId === kind ? "" : taskId);
  return [`${indent}${shownLine(kind, 20)}  ${shownLine(name, 60)}`, shownLine(location ?? "", 80)];
}

/** What is different when a question is answered with no. */
function rejectionRows(
  { requests }: ShownPlay,
  rejections: readonly ShownPlay[],
  { invocationKey }: PlayedRequest,
  indent: string,
): Row[] {
  const rejection = rejections.find(({ rejected }) => rejected === invocationKey);
  if (rejection === undefined) return [];
  const usual = new Set(requests.map((request) => request.invocationKey));
  const others = rejection.requests.filter((request) => !usual.has(request.invocationKey));
  return [
    [`${indent}  if rejected:`, ""],
    ...others.slice(0, MAX_BRANCHES).map((request) => requestRow(request, `${indent}    `)),
    ...(others.length > MAX_BRANCHES ? [[`${indent}    … ${others.length - MAX_BRANCHES} more`, ""] as const] : []),
    [`${indent}    ${endText(rejection.end)}`, ""],
  ];
}

function endText({ is, output, error }: ShownPlay["end"]): string {
  switch (is) {
    case "completed":
      return `returns ${shownLine(JSON.stringify(output ?? null), 80)}`;
    case "failed":
      return `throws ${shownLine(`${error?.name}: ${error?.message}`, 100)}`;
    case "bounded":
      return "… would continue";
    default:
      return is;
  }
}
