/** Keys in the list of steps. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { rowAfterKey } from "./row-keys.js";
import type { Fall } from "./use-fall.js";
import { ALL, afterKey, isAll, ZOOM, zoomed } from "./zoom.js";

export function useFallKeys(fall: Fall, list: RefObject<HTMLDivElement | null>): (event: KeyboardEvent) => void {
  const wantsFocus = useRef(false);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>(`[data-span="${fall.active}"]`)?.focus({ preventScroll: true });
  });
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!act(fall, event, () => void (wantsFocus.current = true))) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

/** Whether the key meant something. */
function act(fall: Fall, { key, shiftKey }: KeyboardEvent, wantFocus: () => void): boolean {
  const { view, active, rows } = fall;
  if (key === "Enter" || key === " ") {
    fall.choose(active, shiftKey);
    return true;
  }
  const row = rowAfterKey(key, active, rows.timeline.spans.length);
  if (row !== undefined) {
    wantFocus();
    fall.moveTo(row);
    return true;
  }
  const next = viewAfter(view, key, shiftKey);
  if (next !== undefined) fall.setView(next);
  return next !== undefined;
}

function viewAfter(view: Fall["view"], key: string, shift: boolean): Fall["view"] | undefined {
  const middle = (view.from + view.to) / 2;
  if (key === "+" || key === "=") return zoomed(view, middle, ZOOM);
  if (key === "-") return zoomed(view, middle, 1 / ZOOM);
  if (key === "Escape") return isAll(view) ? undefined : ALL;
  return key === "ArrowLeft" || key === "ArrowRight" ? afterKey(view, "body", key, shift) : undefined;
}
