/** What a program has printed, in its colours. */
import { useMemo } from "preact/hooks";
import { ansiLines } from "../text/ansi.js";
import { LineText } from "../text/line-text.js";

export function OutputText({ text }: { text: string }) {
  const lines = useMemo(() => ansiLines(text.replace(/\n$/u, "")), [text]);
  return (
    <pre class="part-output" tabIndex={0} dir="ltr">
      {lines.map((spans, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place
        <div key={line}>
          <LineText spans={spans} />
        </div>
      ))}
    </pre>
  );
}
