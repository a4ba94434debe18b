/** What changed in a text, as a unified diff. */

const CONTEXT = 3;
/** Texts with more pairs of lines than this are shown one after the other: comparing them would take too long. */
const MAX_PAIRS = 1_000_000;

/** `undefined` for a file that is not there. Empty when nothing differs. */
export function lineDiff(path: string, before: string | undefined, after: string | undefined): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const rows = rowsOf(old, now);
  if (rows.every(({ mark }) => mark === " ")) return "";
  const head = [
    `--- ${before === undefined ? "/dev/null" : `a/${path}`}`,
    `+++ ${after === undefined ? "/dev/null" : `b/${path}`}`,
  ];
  return `${[...head, ...hunksOf(rows)].join("\n")}\n`;
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

interface Row {
  mark: " " | "-" | "+";
  line: string;
}

function rowsOf(old: readonly string[], now: readonly string[]): Row[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...old.slice(0, start).map(sameRow),
    ...changedRows(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(sameRow),
  ];
}

function sameRow(line: string): Row {
  return { mark: " ", line };
}

/** By the longest common subsequence. */
function changedRows(old: readonly string[], now: readonly string[]): Row[] {
  if (old.length * now.length > MAX_PAIRS)
    return [...old.map((line): Row => ({ mark: "-", line })), ...now.map((line): Row => ({ mark: "+", line }))];
  const width = now.length + 1;
  const common = commonLengths(numbered(old, now), old.length, width);
  const at = (i: number, j: number): number => common[i * width + j] as number;
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      rows.push({ mark: " ", line: old[i] as string });
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      rows.push({ mark: "-", line: old[i] as string });
      i += 1;
    } else {
      rows.push({ mark: "+", line: now[j] as string });
      j += 1;
    }
  }
  return rows;
}

/** Equal lines as equal numbers, which are compared faster: the old ones, then the new ones. */
function numbered(old: readonly string[], now: readonly string[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from([...old, ...now], (line) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  });
}

/** How many lines the ends of both texts have in common, from each pair of lines on. */
function commonLengths(lines: Uint32Array, oldCount: number, width: number): Uint32Array {
  const common = new Uint32Array((oldCount + 1) * width);
  for (let i = oldCount - 1; i >= 0; i -= 1) {
    for (let j = width - 2; j >= 0; j -= 1) {
      const here = i * width + j;
      const [below, right] = [common[here + width] as number, common[here + 1] as number];
      const isSame = lines[i] === lines[oldCount + j];
      common[here] = isSame ? (common[here + width + 1] as number) + 1 : below > right ? below : right;
    }
  }
  return common;
}

/** The changes with some lines around them, each group under its line numbers. */
function hunksOf(rows: readonly Row[]): string[] {
  const near = new Set<number>();
  for (const [index, { mark }] of rows.entries())
    if (mark !== " ") for (let at = Math.max(0, index - CONTEXT); at <= index + CONTEXT; at += 1) near.add(at);
  const lines: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (let index = 0; index < rows.length; index += 1) {
    if (near.has(index) && !near.has(index - 1)) {
      let end = index;
      while (near.has(end) && end < rows.length) end += 1;
      const hunk = rows.slice(index, end);
      const [minus, plus] = [hunk.filter(({ mark }) => mark !== "+"), hunk.filter(({ mark }) => mark !== "-")];
      lines.push(`@@ -${rangeOf(oldLine, minus.length)} +${rangeOf(newLine, plus.length)} @@`);
    }
    const { mark, line } = rows[index] as Row;
    if (near.has(index)) lines.push(`${mark}${line}`);
    if (mark !== "+") oldLine += 1;
    if (mark !== "-") newLine += 1;
  }
  return lines;
}

function rangeOf(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
}
