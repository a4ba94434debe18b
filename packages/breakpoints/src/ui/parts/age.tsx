/** How old something is. One clock for all ages on the page, and it ticks calmly. */
import { signal } from "@preact/signals";
import { AGE_STEP, ageOf, agoOf, clockTime, exactTime, untilOf } from "../model/ages.js";

const now = signal(Date.now());

/** The time of that clock. */
export function timeNow(): number {
  return now.value;
}

function tick(): void {
  if (document.visibilityState === "visible") now.value = Date.now();
}

export function startClock(): void {
  setInterval(tick, AGE_STEP);
  document.addEventListener("visibilitychange", tick);
}

export function Age({ at, ago = false, class: name }: { at: string; ago?: boolean; class?: string }) {
  // A moment that is younger than the last tick is not in the future.
  const time = Math.max(now.value, Date.parse(at));
  return (
    <time dateTime={at} title={exactTime(at)} class={name}>
      {ago ? agoOf(at, time) : ageOf(at, time)}
    </time>
  );
}

export function Until({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {untilOf(at, now.value)}
    </time>
  );
}

export function Clock({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {clockTime(at, now.value)}
    </time>
  );
}
