import type { ComponentChildren, VNode } from "preact";
import { LineText } from "../text/line-text.js";
import { cutSpans, type Span } from "../text/spans.js";
import type { CodeRow } from "./code-rows.js";

/** A longer line is cut, so that one of megabytes does not hold up the page. */
const SHOWN_LENGTH = 2_000;
const MORE_LENGTH = 100_000;

const SIGNS = { line: "", same: "", added: "+", removed: "−" } as const;
const WORDS = { line: "", same: "", added: "added, ", removed: "removed, " } as const;

export interface CodeRowProps {
  index: number;
  row: Exclude<CodeRow, { kind: "gap" }>;
  spans: readonly Span[];
  length: number;
  isSelected: boolean;
  isActive: boolean;
  canComment: boolean;
  isOpened: boolean;
  onOpen: () => void;
  children?: ComponentChildren;
}

/** One line: its numbers, what it says, and below it what was said about it. */
export function CodeLine(props: CodeRowProps): VNode {
  const { index, row, spans, length, isSelected, isOpened } = props;
  const most = isOpened ? MORE_LENGTH : SHOWN_LENGTH;
  const left = length - most;
  return (
    <div class={`code-row is-${row.kind}${isSelected ? " is-selected" : ""}`} data-row={index} key={index}>
      <div class="code-line">
        <LineNumber {...props} />
        <span class="code-sign" aria-hidden="true">
          {SIGNS[row.kind]}
        </span>
        <code class="code-text" dir="ltr">
          <LineText spans={left > 0 ? cutSpans(spans, most) : spans} />
          {left > 0 && (
            <button type="button" class="code-more" disabled={isOpened} onClick={props.onOpen}>
              … {left.toLocaleString("en")} more characters
            </button>
          )}
        </code>
      </div>
      {props.children}
    </div>
  );
}

function LineNumber({ row, index, isActive, isSelected, canComment }: CodeRowProps): VNode {
  const base = "base" in row ? row.base : undefined;
  const file = row.kind === "removed" ? undefined : row.file;
  const numbers = (
    <>
      {row.kind !== "line" && (
        <span class="number-base" aria-hidden={file === undefined ? undefined : "true"}>
          {base}
        </span>
      )}
      <span class="number-file">{file}</span>
    </>
  );
  if (!canComment) return <span class="code-number">{numbers}</span>;
  return (
    <button
      type="button"
      class="code-number"
      data-number={index}
      tabIndex={isActive ? 0 : -1}
      aria-pressed={isSelected}
    >
      <span class="unseen">Line </span>
      {numbers}
      <span class="unseen">{WORDS[row.kind]}comment</span>
    </button>
  );
}
