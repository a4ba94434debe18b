import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Span } from "../text/spans.js";
import { CodeLine } from "./code-row.js";
import { type CodeRow, placeOf, type RowList } from "./code-rows.js";
import { CommentForm } from "./comment-form.js";
import { CommentList } from "./comment-list.js";
import { GapRow } from "./gap-row.js";
import { isSelected, shiftLines } from "./line-selection.js";
import type { LineComments } from "./use-line-comments.js";
import { canComment, useLineMoves } from "./use-line-moves.js";
import { Windowed, type WindowedHandle } from "./windowed.js";

export interface CodeViewProps {
  label: string;
  rows: RowList;
  wraps: boolean;
  comments: LineComments;
  /** Whether lines of the other side take comments. There is a side that can only be looked at. */
  canCommentBase: boolean;
  spansOf: (row: Exclude<CodeRow, { kind: "gap" }>) => readonly Span[];
  onOpenGap: (from: number, to: number) => void;
  onEnd: () => void;
  children?: VNode | undefined;
}

/** Lines with numbers, of which some can be selected and commented on. */
export function CodeView(props: CodeViewProps): VNode {
  const { rows, comments, label, wraps, canCommentBase } = props;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const handle = useRef<WindowedHandle>(null);
  const { active, box, moveTo, handlers } = useLineMoves({ rows, comments, canCommentBase, handle });
  const formRow = formRowOf(rows, comments, canCommentBase);
  const renderRow = (index: number): VNode | null => {
    const row = rows.at(index);
    if (row === undefined) return null;
    if (row.kind === "gap") return <GapRow key={index} row={row} onOpen={props.onOpenGap} />;
    const place = placeOf(row);
    const spans = props.spansOf(row);
    return (
      <CodeLine
        key={index}
        index={index}
        row={row}
        spans={spans}
        length={spans.reduce((sum, { text }) => sum + text.length, 0)}
        isSelected={place !== undefined && canComment(place, canCommentBase) && isSelected(comments.selection, place)}
        isActive={index === active}
        canComment={comments.canComment && canComment(place, canCommentBase)}
        isOpened={opened.has(index)}
        onOpen={() => setOpened(new Set([...opened, index]))}
      >
        <CommentList comments={comments.under(row).filter(({ side }) => side !== "base" || canCommentBase)} />
        {index === formRow && <FormOf rows={rows} comments={comments} onDone={() => moveTo(index)} />}
      </CodeLine>
    );
  };
  return (
    <div class="code-box" ref={box} {...handlers}>
      <Windowed
        class={`code-view${wraps ? " is-wrapped" : ""}`}
        label={label}
        rows={rows.length}
        digits={digitsOf(rows)}
        pinned={formRow < 0 ? [active] : [active, formRow]}
        handle={handle}
        renderRow={renderRow}
        onEnd={props.onEnd}
      >
        {props.children}
      </Windowed>
    </div>
  );
}

interface FormOfProps {
  rows: RowList;
  comments: LineComments;
  onDone: () => void;
}

function FormOf({ rows, comments, onDone }: FormOfProps): VNode | null {
  const { selection } = comments;
  if (selection === undefined) return null;
  const shift = (by: 1 | -1): void => {
    const lines = shiftLines(selection, by);
    const isThere = rows.find({ side: lines.side, line: by === 1 ? lines.endLine : lines.line }) >= 0;
    if (isThere) comments.move(lines);
  };
  return (
    <CommentForm
      lines={selection}
      text={comments.text}
      takesFocus={comments.takesFocus}
      onText={comments.setText}
      onShift={shift}
      onSend={async () => {
        await comments.send();
        onDone();
      }}
      onClose={() => {
        comments.clear();
        onDone();
      }}
    />
  );
}

function digitsOf(rows: RowList): number {
  const last = rows.at(rows.length - 1);
  const highest = last === undefined ? 0 : Math.max("file" in last ? last.file : 0, "base" in last ? last.base : 0);
  return Math.max(3, String(highest + (last?.kind === "gap" ? last.count : 0)).length);
}

function formRowOf(rows: RowList, { selection, isWriting }: LineComments, canCommentBase: boolean): number {
  if (selection === undefined || !isWriting || !canComment(selection, canCommentBase)) return -1;
  return rows.find({ side: selection.side, line: selection.endLine });
}
