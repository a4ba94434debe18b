/** The last lines of a log, as a terminal would show them. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RunSource } from "../model/run-source.js";
import { ansiLines } from "../text/ansi.js";
import { LineText } from "../text/line-text.js";
import { lastLines } from "./failing-step.js";
import { troubleOf } from "./run-trouble.js";

const LINES = 30;
/** Enough for so many lines, unless they are very long. */
const END_BYTES = 16 * 1024;

interface LogTailProps {
  source: RunSource;
  path: string;
  /** Its size: more of it is read again. */
  bytes: number | undefined;
  label: string;
  /** What is known of it already: it keeps the place. */
  told?: readonly string[];
}

export function LogTail({ source, path, bytes, label, told = [] }: LogTailProps) {
  const [text, setText] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const box = useRef<HTMLPreElement>(null);
  // What was printed last says what went wrong.
  useLayoutEffect(() => box.current?.scrollTo({ top: box.current.scrollHeight }), [text]);
  useEffect(() => {
    let isWanted = true;
    const read = async (): Promise<void> => {
      try {
        const end = await readEnd(source, path);
        if (isWanted) setText(end);
        if (isWanted) setProblem(undefined);
      } catch (error) {
        if (isWanted) setProblem(troubleOf(error).message);
      }
    };
    void read();
    return () => void (isWanted = false);
  }, [source, path, bytes]);
  if (problem !== undefined) return <p class="quiet small">The log cannot be read: {problem}</p>;
  const lines = text === undefined ? told : lastLines(text, LINES);
  return (
    <pre
      ref={box}
      class="log-tail"
      role="log"
      aria-live="off"
      aria-label={label}
      aria-busy={text === undefined}
      tabIndex={0}
    >
      {ansiLines(lines.join("\n")).map((spans, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place
        <code key={index} class="block" dir="ltr">
          <LineText spans={spans} />
          {"\n"}
        </code>
      ))}
    </pre>
  );
}

async function readEnd(source: RunSource, path: string): Promise<string> {
  const { bytes, size } = await source.readFile(path, -END_BYTES);
  const text = new TextDecoder().decode(bytes);
  // What comes before the first line break is the rest of a line.
  return size > bytes.length ? text.slice(text.indexOf("\n") + 1) : text;
}
