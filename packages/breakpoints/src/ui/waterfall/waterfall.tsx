/** The steps of a run in time. */
import type { Timeline } from "@a5c-ai/babysitter-sdk/view";
import { useMemo } from "preact/hooks";
import { FallBox } from "./fall-box.js";
import { FallLegend } from "./fall-legend.js";
import { FallTools } from "./fall-tools.js";
import { Overview } from "./overview.js";
import { useFall } from "./use-fall.js";
import { useOnce } from "./use-once.js";
import { isAll } from "./zoom.js";
import "../styles/waterfall.css";

export interface WaterfallProps {
  timeline: Timeline;
  /** The event that is chosen: the span that it belongs to is marked. */
  selected: number | undefined;
  onSelect: (seq: number) => void;
  /** The run as it was: its end is not now. */
  isThen?: boolean;
}

/** Fewer can be seen at a glance. */
const MANY_STEPS = 5;

export function Waterfall(props: WaterfallProps) {
  const fall = useFall(props);
  // Not for every row that scrolls by.
  // oxlint-disable-next-line exhaustive-deps
  const overview = useMemo(() => <Overview fall={fall} />, [fall.rows, fall.fold, fall.view]);
  const { spans, isOver } = props.timeline;
  // A run that goes on may get many: tools that came with them would push its rows away.
  const isGrowing = !isOver && props.isThen !== true;
  const hasTools = useOnce(spans.length >= MANY_STEPS || isGrowing || !isAll(fall.view));
  return (
    <section class="fall" aria-label="Steps in time" data-narrow={fall.layout.isNarrow}>
      {spans.length === 0 ? (
        <p class="quiet">This run has no steps yet.</p>
      ) : (
        <>
          {hasTools ? <FallTools fall={fall} /> : null}
          {hasTools ? overview : null}
          <FallBox fall={fall} />
          <FallLegend timeline={props.timeline} />
        </>
      )}
    </section>
  );
}
