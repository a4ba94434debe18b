import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeOf, type RowList, stepFrom } from "./code-rows.js";
import { type CommentSide, isSelected, type LinePlace } from "./line-selection.js";
import type { LineComments } from "./use-line-comments.js";
import type { WindowedHandle } from "./windowed.js";

/** The line that the keyboard is on, and how keys and pointer move it and select lines. */
export interface LineMoves {
  active: number;
  box: RefObject<HTMLDivElement | null>;
  moveTo: (index: number) => void;
  handlers: {
    onKeyDown: (event: KeyboardEvent) => void;
    onPointerDown: (event: PointerEvent) => void;
    onPointerOver: (event: PointerEvent) => void;
    onClick: (event: MouseEvent) => void;
  };
}

export interface MovesOptions {
  rows: RowList;
  comments: LineComments;
  canCommentBase: boolean;
  handle: RefObject<WindowedHandle | null>;
}

interface Pointer {
  isTouch: boolean;
  /** The side on which a drag began that still lasts. */
  dragged?: CommentSide | undefined;
}

interface Tools extends MovesOptions {
  moveTo: (index: number) => void;
  select: (index: number, extend: boolean) => void;
}

export function useLineMoves(options: MovesOptions): LineMoves {
  const { rows, comments, canCommentBase, handle } = options;
  const [moved, setActive] = useState(0);
  const side = canCommentBase ? undefined : "file";
  // The keyboard comes in by a line that has a number to press, which a gap or a line of the other side may not have.
  const active = canComment(placeAt(rows, moved), canCommentBase) ? moved : stepFrom(rows, -1, 1, side);
  const box = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const pointer = useRef<Pointer>({ isTouch: false });
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const button = box.current?.querySelector<HTMLElement>(`[data-number="${active}"]`);
    wantsFocus.current = false;
    button?.focus({ preventScroll: true });
    handle.current?.show(active);
  });
  const moveTo = (index: number): void => {
    wantsFocus.current = true;
    setActive(index);
  };
  const select = (index: number, extend: boolean): void => {
    const place = placeAt(rows, index);
    if (place === undefined || !canComment(place, canCommentBase)) return;
    setActive(index);
    comments.select(place, extend);
  };
  const tools: Tools = { ...options, moveTo, select };
  return { active, box, moveTo, handlers: { onKeyDown: makeKeys(tools), ...makePointer(tools, pointer.current) } };
}

export function canComment(place: LinePlace | undefined, canCommentBase: boolean): boolean {
  return place !== undefined && (place.side === "file" || canCommentBase);
}

function placeAt(rows: RowList, index: number): LinePlace | undefined {
  const row = rows.at(index);
  return row === undefined ? undefined : placeOf(row);
}

/** Arrows move from line to line, with shift they select, c or Enter comments, Escape takes it back. */
function makeKeys(tools: Tools): LineMoves["handlers"]["onKeyDown"] {
  const { comments, select } = tools;
  const actions: Readonly<Record<string, (at: number, event: KeyboardEvent) => void>> = {
    ArrowDown: (at, event) => step(tools, at, { by: 1, extend: event.shiftKey }),
    ArrowUp: (at, event) => step(tools, at, { by: -1, extend: event.shiftKey }),
    Escape: () => comments.clear(),
    c: (at) => {
      const place = placeAt(tools.rows, at);
      if (place !== undefined && !isSelected(comments.selection, place)) select(at, false);
      comments.write();
    },
  };
  return (event) => {
    const key = event.key === "Enter" || event.key === " " ? "c" : event.key;
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
    const isIdle = key === "Escape" && comments.selection === undefined;
    const at = numberAt(event);
    if (at === undefined || action === undefined || isIdle) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    action(at, event);
    event.preventDefault();
    event.stopPropagation();
  };
}

function step(
  { rows, comments, canCommentBase, moveTo, select }: Tools,
  at: number,
  { by, extend }: { by: 1 | -1; extend: boolean },
): void {
  if (!extend) {
    moveTo(stepFrom(rows, at, by, canCommentBase ? undefined : "file"));
    return;
  }
  if (comments.selection === undefined) select(at, false);
  const next = stepFrom(rows, at, by, placeAt(rows, at)?.side);
  select(next, true);
  moveTo(next);
}

/** A click on a number comments on that line, a drag on all lines it passes, with shift on all up to there. */
function makePointer({ rows, select, comments }: Tools, pointer: Pointer): Omit<LineMoves["handlers"], "onKeyDown"> {
  return {
    onPointerDown: (event) => {
      const index = numberAt(event);
      pointer.isTouch = event.pointerType === "touch";
      // A finger may be about to scroll.
      if (index === undefined || event.button !== 0 || pointer.isTouch) return;
      select(index, event.shiftKey);
      pointer.dragged = placeAt(rows, index)?.side;
      // It may end beside the numbers, or outside the file.
      const end = (): void => {
        pointer.dragged = undefined;
        comments.write();
      };
      document.addEventListener("pointerup", end, { once: true });
      // Else the text between would be selected too.
      event.preventDefault();
    },
    onPointerOver: (event) => {
      const index = pointer.dragged !== undefined && event.buttons === 1 ? numberAt(event) : undefined;
      // On the way there may be lines of the other side.
      if (index !== undefined && placeAt(rows, index)?.side === pointer.dragged) select(index, true);
    },
    onClick: (event) => {
      // By a finger, or by a screen reader without any pointer; all others were heard before.
      const index = pointer.isTouch || event.detail === 0 ? numberAt(event) : undefined;
      if (index === undefined) return;
      // A finger has no shift key: while a comment is being written, it adds lines.
      select(index, pointer.isTouch && comments.isWriting);
      comments.write();
    },
  };
}

/** The row whose number an event is about. */
function numberAt({ target }: Event): number | undefined {
  const number = target instanceof Element ? target.closest<HTMLElement>("[data-number]") : null;
  return number === null ? undefined : Number(number.dataset["number"]);
}
