import { useState } from "preact/hooks";
import type { FileView } from "./file-views.js";

const NARROW = "(max-width: 48rem)";

/** Whether long lines are wrapped: as somebody chose, else on narrow screens and in logs. */
export function useWrapping(view: FileView | undefined): [wraps: boolean, setWraps: (wraps: boolean) => void] {
  const [chosen, setChosen] = useState<boolean>();
  return [chosen ?? (view === "log" || matchMedia(NARROW).matches), setChosen];
}
