/** What the bars mean, of those that are there. */
import type { Timeline } from "@a5c-ai/babysitter-sdk/view";
import { useMemo } from "preact/hooks";
import { barKinds } from "./span-look.js";

const BARS = [
  ["work", "Working"],
  ["running", "Running now"],
  ["person", "Waiting on you"],
  ["time", "Waiting for time"],
  ["bad", "Failed"],
  ["rejected", "Rejected"],
  ["gone", "Dropped"],
] as const;

export function FallLegend({ timeline }: { timeline: Timeline }) {
  const kinds = useMemo(() => barKinds(timeline), [timeline]);
  return (
    <ul class="fall-legend" aria-label="What the bars mean">
      {BARS.filter(([kind]) => kinds.has(kind)).map(([kind, word]) => (
        <li key={kind}>
          <span class="fall-swatch" data-bar={kind} aria-hidden="true" />
          {word}
        </li>
      ))}
    </ul>
  );
}
