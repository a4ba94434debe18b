/** A log that is being looked at: read from its end, and on while its task runs and somebody sees it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunSource } from "../model/run-source.js";
import { LogReader } from "./log-reader.js";

/** How long a reader waits for what is new. */
const LOOK_MS = 1_000;

export function useLog(source: RunSource, path: string, isLive: boolean): LogReader {
  const [, redraw] = useState({});
  const reader = useMemo(
    () =>
      new LogReader(
        (from) => source.readFile(path, from),
        () => redraw({}),
      ),
    [source, path],
  );
  useEffect(() => () => reader.stop(), [reader]);
  useEffect(() => {
    // Also when it has just ended: what was printed last is read then.
    void reader.readOn();
    if (!isLive) return undefined;
    const look = (): void => {
      if (document.visibilityState === "visible") void reader.readOn();
    };
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [reader, isLive]);
  return reader;
}
