/** What the bars mean. */
const BARS = [
  ["work", "Working"],
  ["running", "Goes on now"],
  ["person", "Waiting on you"],
  ["time", "Waiting for time"],
  ["bad", "Failed"],
  ["rejected", "Rejected"],
  ["gone", "Dropped"],
] as const;

export function FallLegend() {
  return (
    <ul class="fall-legend" aria-label="What the bars mean">
      {BARS.map(([kind, word]) => (
        <li key={kind}>
          <span class="fall-swatch" data-bar={kind} aria-hidden="true" />
          {word}
        </li>
      ))}
    </ul>
  );
}
