/** Where the time of a run went, as one bar with its words. */
import { shownDuration, type TimeSplit } from "@a5c-ai/babysitter-sdk/view";
import { splitParts } from "./split-parts.js";
import "../styles/waterfall.css";

export function TimeSplitBar({ split }: { split: TimeSplit }) {
  const parts = splitParts(split);
  if (parts.length === 0) return <p class="quiet">No time has passed yet.</p>;
  return (
    <div class="time-split">
      <div class="time-split-bar" aria-hidden="true">
        {parts.map(({ use, ms }) => (
          <span key={use} data-use={use} style={{ flexGrow: ms }} />
        ))}
      </div>
      <dl class="time-split-words">
        {parts.map(({ use, word, ms, percent }) => (
          <div key={use}>
            <dt>
              <span class="time-split-swatch" data-use={use} aria-hidden="true" />
              {word}
            </dt>
            <dd>
              {shownDuration(ms)} <span class="quiet">{percent}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
