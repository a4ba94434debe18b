/** The steps of a run in time, and the one that is chosen. */
import { useEffect } from "preact/hooks";
import { TimeSplitBar } from "../waterfall/time-split-bar.js";
import { Waterfall } from "../waterfall/waterfall.js";
import { CostPlot } from "./cost-plot.js";
import type { RunData } from "./run-data.js";
import type { RunMoves } from "./run-place.js";
import { StepDrawer } from "./step-drawer.js";
import { neighbourSpan, spanAt } from "./step-facts.js";

export function StepsPart({ data, moves }: { data: RunData; moves: RunMoves }) {
  useEffect(() => {
    moves.neighbour = (seq, by) => neighbourSpan(data.timeline.peek()?.spans ?? [], data.events.peek(), { seq, by });
    return () => void (moves.neighbour = undefined);
  }, [data, moves]);
  const timeline = data.timeline.value;
  if (timeline === undefined)
    return data.problem.value === undefined ? (
      <span class="skeleton" data-height="card" aria-busy="true" />
    ) : (
      <p class="quiet">The steps cannot be shown: the events of this run cannot be read.</p>
    );
  const selected = data.selected.value;
  const span = spanAt(timeline.spans, data.events.value, selected);
  return (
    <div class="run-steps">
      <TimeSplitBar split={timeline.split} />
      <div class="run-steps-main" data-open={span === undefined ? undefined : "true"}>
        <div class="run-fall">
          <Waterfall
            timeline={timeline}
            selected={selected}
            onSelect={(seq) => moves.select(seq)}
            isThen={data.at.value !== undefined}
          />
        </div>
        {span === undefined ? null : <StepDrawer data={data} span={span} moves={moves} />}
      </div>
      {data.detail.value?.loop === null ? null : <CostPlot data={data} />}
    </div>
  );
}
