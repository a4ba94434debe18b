import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { AnsiReader } from "../text/ansi.js";
import { languageOf } from "../text/languages.js";
import type { Span } from "../text/spans.js";
import { lineRows } from "./code-rows.js";
import { CodeView } from "./code-view.js";
import type { FileWork } from "./file-review.js";
import { hasCarriageReturns } from "./line-store.js";
import { LoadState } from "./load-state.js";
import { useHighlighter } from "./use-highlighter.js";

/** All lines of a file, in the colours of its language or of its escapes. */
export function TextPanel({ work }: { work: FileWork }): VNode {
  const { props, view, file: pages, comments, wraps } = work;
  const { file } = props;
  const { lines } = pages.store;
  const isLog = view === "log";
  const highlighter = useHighlighter(lines, isLog ? undefined : languageOf(file.path, file.language));
  const ansi = useMemo(() => (isLog ? new AnsiReader(lines) : undefined), [lines, isLog]);
  const hidesReturns = hasCarriageReturns(lines);
  if (lines.length === 0) return <LoadState pages={pages} isEmpty={pages.store.next === null} />;
  const spansOf = (index: number): readonly Span[] => {
    const text = lines[index] ?? "";
    const spans = ansi?.line(index) ?? highlighter?.line(index) ?? [{ text }];
    return hidesReturns ? withoutReturn(spans) : spans;
  };
  return (
    <CodeView
      label={`${file.path}, ${isLog ? "log" : "file"}`}
      rows={lineRows(lines.length)}
      wraps={wraps}
      comments={comments}
      canCommentBase={false}
      spansOf={(row) => spansOf((row.kind === "removed" ? row.base : row.file) - 1)}
      onOpenGap={() => undefined}
      onEnd={pages.problem === undefined ? pages.more : () => undefined}
    >
      <LoadState pages={pages} isEmpty={false} />
    </CodeView>
  );
}

/** In a file of Windows every line ends with one; that is no news. */
export function withoutReturn(spans: readonly Span[]): readonly Span[] {
  const last = spans.at(-1);
  return last?.text.endsWith("\r") ? [...spans.slice(0, -1), { ...last, text: last.text.slice(0, -1) }] : spans;
}
