import { useRef, useState } from "preact/hooks";
import type { CommentBody, QuestionComment } from "../../wire/inbox-wire.js";
import { type CodeRow, isAt } from "./code-rows.js";
import {
  draftKeyOf,
  extendTo,
  type LinePlace,
  type LineSelection,
  parseDraftKey,
  selectLine,
} from "./line-selection.js";
import type { FileReviewProps } from "./review-props.js";

/** The lines that are selected in a file, and the comment being written on them. */
export interface LineComments {
  canComment: boolean;
  selection: LineSelection | undefined;
  isWriting: boolean;
  /** Whether the form was opened by hand, and so takes the keyboard. */
  takesFocus: boolean;
  text: string;
  select: (place: LinePlace, extend: boolean) => void;
  /** Takes other lines instead; what is being written goes along. */
  move: (lines: LineSelection) => void;
  write: () => void;
  clear: () => void;
  setText: (text: string) => void;
  send: () => Promise<void>;
  /** Those that stand under a row. */
  under: (row: CodeRow) => QuestionComment[];
}

interface Writing {
  selection: LineSelection | undefined;
  isWriting: boolean;
  takesFocus: boolean;
}

export function useLineComments(props: FileReviewProps): LineComments {
  const { file, comments, canComment, readDraft, keepDraft, onComment } = props;
  const [drawn, draw] = useState<Writing>(() => beginWith(props));
  // One key may change it twice before it is drawn.
  const latest = useRef(drawn);
  const change = (next: Partial<Writing>): void => {
    latest.current = { ...latest.current, ...next };
    draw(latest.current);
  };
  const textOf = (lines: LineSelection | undefined): string =>
    lines === undefined ? "" : readDraft(draftKeyOf(file.n, lines));
  const move = (next: LineSelection): void => {
    const { selection, isWriting } = latest.current;
    const text = textOf(selection);
    // Words go with the lines they are about while these are still being chosen.
    if (isWriting && selection !== undefined && text !== "" && !isSame(selection, next)) {
      keepDraft(draftKeyOf(file.n, selection), "");
      keepDraft(draftKeyOf(file.n, next), text);
    }
    change({ selection: next });
  };
  return {
    canComment,
    ...drawn,
    text: textOf(drawn.selection),
    setText: (text) => {
      if (latest.current.selection !== undefined) keepDraft(draftKeyOf(file.n, latest.current.selection), text);
      change({});
    },
    move,
    select: (place, extend) => move(extend ? extendTo(latest.current.selection, place) : selectLine(place)),
    write: () => canComment && change({ isWriting: true, takesFocus: true }),
    clear: () => change(NOTHING),
    send: async () => {
      const { selection } = latest.current;
      if (selection === undefined) return;
      const text = textOf(selection);
      await onComment(bodyOf(file.path, selection, text));
      // What was typed meanwhile is not sent yet.
      if (textOf(selection) !== text) return;
      keepDraft(draftKeyOf(file.n, selection), "");
      if (latest.current.selection !== undefined && isSame(latest.current.selection, selection)) change(NOTHING);
    },
    under: (row) => comments.filter((comment) => isUnder(row, file.path, comment)),
  };
}

const NOTHING: Writing = { selection: undefined, isWriting: false, takesFocus: false };

function isSame(one: LineSelection, other: LineSelection): boolean {
  return one.side === other.side && one.line === other.line && one.endLine === other.endLine;
}

function bodyOf(path: string, { side, line, endLine }: LineSelection, text: string): CommentBody {
  return { text, path, ...(side === "base" ? { side } : {}), line, ...(endLine === line ? {} : { endLine }) };
}

/** A comment that was begun before the page was loaded again is open again. */
function beginWith({ file, canComment, draftPlaces }: FileReviewProps): Writing {
  const places = canComment ? (draftPlaces?.() ?? []) : [];
  const begun = places.map((place) => parseDraftKey(file.n, place)).find((lines) => lines !== undefined);
  return { selection: begun, isWriting: begun !== undefined, takesFocus: false };
}

function isUnder(row: CodeRow, path: string, { path: at, side, line, endLine = line }: QuestionComment): boolean {
  return at === path && endLine !== undefined && isAt(row, { side: side ?? "file", line: endLine });
}
