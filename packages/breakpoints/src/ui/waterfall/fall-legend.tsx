/** What those bars mean, of which the time of the run says nothing. */
import type { Timeline } from "@a5c-ai/babysitter-sdk/view";
import { useMemo } from "preact/hooks";
import { barKinds } from "./span-look.js";

const BARS = [
  ["running", "Running"],
  ["bad", "Failed attempt"],
  ["rejected", "Rejected"],
  ["gone", "Dropped"],
] as const;

export function FallLegend({ timeline }: { timeline: Timeline }) {
  const kinds = useMemo(() => barKinds(timeline), [timeline]);
  const shown = BARS.filter(([kind]) => kinds.has(kind));
  if (shown.length === 0) return null;
  return (
    <ul class="fall-legend" aria-label="What the bars mean">
      {shown.map(([kind, word]) => (
        <li key={kind}>
          <span class="fall-swatch" data-bar={kind} aria-hidden="true" />
          {word}
        </li>
      ))}
    </ul>
  );
}
