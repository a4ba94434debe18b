/** The lines of a log in their colours, with what was searched for marked. Only those near what is seen are drawn. */
import type { Ref } from "preact";
import { useMemo, useState } from "preact/hooks";
import { CodeLine } from "../files/code-row.js";
import { hasCarriageReturns } from "../files/line-store.js";
import { withoutReturn } from "../files/text-panel.js";
import { Windowed, type WindowedHandle } from "../files/windowed.js";
import { AnsiReader } from "../text/ansi.js";
import { markSpans, type Range } from "../text/spans.js";
import { type Match, matchesIn } from "./log-search.js";

interface LogLinesProps {
  label: string;
  lines: readonly string[];
  wraps: boolean;
  isNumbered: boolean;
  matches: readonly Match[];
  current: Match | undefined;
  handle: Ref<WindowedHandle>;
}

export function LogLines({ label, lines, wraps, isNumbered, matches, current, handle }: LogLinesProps) {
  const [opened, open] = useState<ReadonlySet<number>>(new Set());
  const ansi = useMemo(() => new AnsiReader(lines), [lines]);
  const hidesReturns = hasCarriageReturns(lines);
  const renderRow = (index: number) => {
    const plain = ansi.line(index);
    const found = matchesIn(matches, index);
    const all = markSpans(plain, found.map(rangeOf), "log-match");
    const here = current?.row === index ? markSpans(all, [rangeOf(current)], "is-current") : all;
    return (
      <CodeLine
        key={index}
        index={index}
        row={{ kind: "line", file: index + 1 }}
        spans={hidesReturns ? withoutReturn(here) : here}
        length={plain.reduce((sum, { text }) => sum + text.length, 0)}
        isSelected={current?.row === index}
        isActive={false}
        canComment={false}
        isOpened={opened.has(index) || current?.row === index}
        onOpen={() => open(new Set([...opened, index]))}
      />
    );
  };
  return (
    <Windowed
      class={`code-view${wraps ? " is-wrapped" : ""}${isNumbered ? "" : " is-unnumbered"}`}
      label={label}
      rows={lines.length}
      digits={Math.max(3, String(lines.length).length)}
      pinned={[]}
      handle={handle}
      renderRow={renderRow}
      onEnd={() => undefined}
    />
  );
}

function rangeOf({ from, to }: Match): Range {
  return [from, to];
}
