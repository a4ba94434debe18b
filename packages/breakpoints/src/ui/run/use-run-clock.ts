import { useEffect } from "preact/hooks";
import type { RunData } from "./run-data.js";
import { isOver } from "./run-words.js";

const TICK_MS = 1_000;
/** The picture of a long run takes a while to make: then it is made less often. */
const SHARE = 20;

/** Lets the time of a run that goes on go on, while somebody looks at it as it is now. */
export function useRunClock(data: RunData): void {
  const detail = data.detail.value;
  const isLive = data.source.follow !== undefined && data.at.value === undefined;
  const ticks = isLive && detail !== undefined && !isOver(detail.state);
  useEffect(() => {
    if (!ticks) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      if (document.visibilityState === "visible") data.now.value = Date.now();
      timer = setTimeout(tick, Math.max(TICK_MS, data.timelineMs * SHARE));
    };
    tick();
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
    function seen(): void {
      if (document.visibilityState !== "visible") return;
      clearTimeout(timer);
      tick();
    }
  }, [data, ticks]);
}
