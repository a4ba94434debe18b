import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { QuestionComment } from "../../wire/inbox-wire.js";
import type { LineRun } from "../text/diff-lines.js";
import { languageOf } from "../text/languages.js";
import { markSpans, type Span } from "../text/spans.js";
import { type CodeRow, changeCount, diffRows, listRows, type Opened } from "./code-rows.js";
import { CodeView } from "./code-view.js";
import type { FileWork } from "./file-review.js";
import { COMPARED_BYTES, nameOf, sizeOf } from "./file-views.js";
import { hasCarriageReturns } from "./line-store.js";
import { Note, QuietButton } from "./note.js";
import { withoutReturn } from "./text-panel.js";
import type { Difference } from "./use-difference.js";
import { hasChanges } from "./use-difference.js";
import { useHighlighter } from "./use-highlighter.js";

export interface DifferencePanelProps {
  work: FileWork;
  /** Compare although it is large. */
  onForce: () => void;
  onFile: () => void;
}

/** What has changed in a file, or why that is not shown. */
export function DifferencePanel(props: DifferencePanelProps): VNode {
  const { work } = props;
  const { difference, against } = work;
  if (hasChanges(difference, against) === false)
    return (
      <Note tone="quiet">No changes from {against === undefined ? "the previous version" : nameOf(against)}.</Note>
    );
  if (difference.state !== "ready") return <NotCompared {...props} />;
  return <ChangedLines work={work} difference={difference} />;
}

function NotCompared({ work, onForce, onFile }: DifferencePanelProps): VNode {
  const { difference, against, props, base, file } = work;
  const bytes = Math.max(props.file.bytes ?? 0, against?.bytes ?? 0);
  const wholeFile = <QuietButton onClick={onFile}>Show the whole file</QuietButton>;
  const retry = (): void => {
    base.all();
    if (props.file.refused === undefined) file.all();
  };
  if (difference.state === "failed")
    return (
      <Note tone="bad" word="Not compared." role="alert">
        {difference.problem} <QuietButton onClick={retry}>Try again</QuietButton>
      </Note>
    );
  if (difference.state === "too-large")
    return (
      <Note tone="needs" word="Too different to compare.">
        So many lines have changed that finding the difference would take too long. {wholeFile}
      </Note>
    );
  if (bytes > COMPARED_BYTES && base.store.loaded === 0 && !base.isLoading)
    return (
      <Note tone="quiet" word={`${sizeOf(bytes)}:`}>
        comparing takes a moment. <QuietButton onClick={onForce}>Compare</QuietButton>{" "}
        {props.file.refused === undefined && wholeFile}
      </Note>
    );
  return <p class="file-loading">Comparing…</p>;
}

type Ready = Extract<Difference, { state: "ready" }>;

function ChangedLines({ work, difference }: { work: FileWork; difference: Ready }): VNode {
  const { props, base, file, against, comments, wraps } = work;
  const { path, language } = props.file;
  const [opened, setOpened] = useState<readonly Opened[]>([]);
  const rows = useMemo(
    () => listRows(diffRows(difference.runs, [...opened, ...aroundComments(difference.runs, path, props.comments)])),
    [difference, opened, path, props.comments],
  );
  const canCommentBase = against?.side === "base";
  const known = languageOf(path, language);
  const before = useHighlighter(base.store.lines, known);
  const after = useHighlighter(file.store.lines, known);
  const hidesReturns = hasCarriageReturns(base.store.lines) && hasCarriageReturns(file.store.lines);
  const textOf = (side: "base" | "file", line: number): string =>
    (side === "base" ? base : file).store.lines[line - 1] ?? "";
  const spansOf = (row: Exclude<CodeRow, { kind: "gap" }>): readonly Span[] => {
    const [side, line] = row.kind === "removed" ? (["base", row.base] as const) : (["file", row.file] as const);
    const text = textOf(side, line);
    const spans = (side === "base" ? before : after)?.line(line - 1) ?? [{ text }];
    const marked = markSpans(spans, changedWords(row, difference, textOf), "changed-words");
    return hidesReturns ? withoutReturn(marked) : marked;
  };
  return (
    <>
      {difference.note !== undefined && <Note tone="quiet">{difference.note}</Note>}
      {comments.canComment && !canCommentBase && changeCount(difference.runs).removed > 0 && (
        <Note tone="quiet">
          Removed lines are from the last approved version and cannot be commented on. Comment on lines of the file
          instead.
        </Note>
      )}
      <CodeView
        label={`${path}, difference`}
        rows={rows}
        wraps={wraps}
        comments={comments}
        canCommentBase={canCommentBase}
        spansOf={spansOf}
        onOpenGap={(from, to) => setOpened([...opened, [from, to]])}
        onEnd={() => undefined}
      />
    </>
  );
}

function changedWords(
  row: CodeRow,
  { words }: Ready,
  textOf: (side: "base" | "file", line: number) => string,
): readonly (readonly [number, number])[] {
  if (row.kind === "added" && row.other !== undefined)
    return words(textOf("base", row.other), textOf("file", row.file))?.after ?? [];
  if (row.kind === "removed" && row.other !== undefined)
    return words(textOf("base", row.base), textOf("file", row.other))?.before ?? [];
  return [];
}

/** Lines that somebody has commented on are shown, with a little around them. */
function aroundComments(runs: readonly LineRun[], path: string, comments: readonly QuestionComment[]): Opened[] {
  return comments.flatMap(({ path: at, side, line, endLine = line }): Opened[] => {
    if (at !== path || line === undefined || endLine === undefined) return [];
    if (side === undefined) return [[line - 3, endLine + 3]];
    const run = runs.find(
      ({ kind, before, count }) => kind === "same" && before < endLine && endLine <= before + count,
    );
    const shift = run === undefined ? 0 : run.after - run.before;
    return run === undefined ? [] : [[line + shift - 3, endLine + shift + 3]];
  });
}
