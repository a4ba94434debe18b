/** The steps of a run in time. */
import type { Timeline } from "@a5c-ai/babysitter-sdk/view";

export interface WaterfallProps {
  timeline: Timeline;
  /** The event that is chosen: the span that it belongs to is marked. */
  selected: number | undefined;
  onSelect: (seq: number) => void;
}

export function Waterfall({ timeline }: WaterfallProps) {
  return <p>{timeline.spans.length}</p>;
}
