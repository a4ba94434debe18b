/** Lines that somebody comments on: of one side, next to each other. */

/** Of the file as it was asked about, or of what it is compared with. */
export type CommentSide = "file" | "base";

export interface LinePlace {
  side: CommentSide;
  /** Counted from 1. */
  line: number;
}

export interface LineSelection extends LinePlace {
  /** Where the selection began; it is extended from there. */
  anchor: number;
  endLine: number;
}

export function selectLine({ side, line }: LinePlace): LineSelection {
  return { side, anchor: line, line, endLine: line };
}

/** Up to another line, in either direction. On the other side nothing can be added, so a new selection begins there. */
export function extendTo(selection: LineSelection | undefined, place: LinePlace): LineSelection {
  if (selection === undefined || selection.side !== place.side) return selectLine(place);
  const { side, anchor } = selection;
  return { side, anchor, line: Math.min(anchor, place.line), endLine: Math.max(anchor, place.line) };
}

/** As many lines, one further down or up. */
export function shiftLines({ side, anchor, line, endLine }: LineSelection, by: 1 | -1): LineSelection {
  return { side, anchor: anchor + by, line: line + by, endLine: endLine + by };
}

export function isSelected(selection: LineSelection | undefined, { side, line }: LinePlace): boolean {
  return selection?.side === side && selection.line <= line && line <= selection.endLine;
}

export function namesOf({ line, endLine }: { line: number; endLine?: number | undefined }): string {
  return endLine === undefined || endLine === line ? `line ${line}` : `lines ${line}–${endLine}`;
}

/** What a draft is kept under: its file and lines. */
export function draftKeyOf(file: number, { side, line, endLine }: LineSelection): string {
  return `file.${file}.${side}.${line}-${endLine}`;
}

export function parseDraftKey(file: number, key: string): LineSelection | undefined {
  const match = /^file\.(\d+)\.(file|base)\.(\d+)-(\d+)$/u.exec(key);
  if (match === null || Number(match[1]) !== file) return undefined;
  const line = Number(match[3]);
  return { side: match[2] === "base" ? "base" : "file", anchor: line, line, endLine: Number(match[4]) };
}
