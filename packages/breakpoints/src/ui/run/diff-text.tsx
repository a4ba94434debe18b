/** A unified difference, as text in colours. */
import { useState } from "preact/hooks";
import { LineText } from "../text/line-text.js";

/** More at once would hold up the page. */
const MOST_LINES = 500;

export function DiffText({ text, label }: { text: string; label: string }) {
  const [most, setMost] = useState(MOST_LINES);
  const lines = text.replace(/\n$/u, "").split("\n");
  return (
    <>
      <pre class="diff-text" aria-label={label} tabIndex={0}>
        {lines.slice(0, most).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place
          <code key={index} class="block" dir="ltr" data-kind={kindOf(line)}>
            <LineText spans={[{ text: line }]} />
            {"\n"}
          </code>
        ))}
      </pre>
      {lines.length <= most ? null : (
        <button type="button" class="button" onClick={() => setMost(most + 10 * MOST_LINES)}>
          {(lines.length - most).toLocaleString("en")} more lines
        </button>
      )}
    </>
  );
}

function kindOf(line: string): string | undefined {
  if (/^(?:\+\+\+|---) /u.test(line)) return "file";
  if (line.startsWith("@@")) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : undefined;
}
