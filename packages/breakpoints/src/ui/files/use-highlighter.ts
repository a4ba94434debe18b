import { useEffect, useMemo, useState } from "preact/hooks";
import type { Highlighter } from "../text/highlighter.js";

let maker: typeof Highlighter | undefined;

/** Colours for lines; nothing until the part that knows them is there, and for languages that it does not know. */
export function useHighlighter(lines: readonly string[], language: string | undefined): Highlighter | undefined {
  const [, redraw] = useState({});
  useEffect(() => {
    if (maker !== undefined || language === undefined) return undefined;
    let gone = false;
    void loadMaker().then(() => gone || redraw({}));
    return () => {
      gone = true;
    };
  }, [language]);
  return useMemo(
    () => (maker === undefined || language === undefined ? undefined : new maker(lines, language)),
    [maker, lines, language],
  );
}

async function loadMaker(): Promise<void> {
  const part = await import("../text/highlighter.js").catch(() => undefined);
  maker = part?.Highlighter;
}
