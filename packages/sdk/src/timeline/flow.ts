/** What followed from what, as far as the journal tells: which results a step had behind it when it was asked for. */
import type { TimelineSpan } from "./timeline.js";

export interface FlowNode {
  span: TimelineSpan;
  /** Places in the list of the steps that it followed; empty for those that began the run. */
  after: number[];
}

/** Steps in the order in which they were asked for. Turns of an agent are none. */
export function flowOf(spans: readonly TimelineSpan[]): FlowNode[] {
  const nodes: FlowNode[] = [];
  /** Steps that nothing has followed yet. */
  const ends = new Set<number>();
  for (const span of spans.filter(({ kind }) => kind !== "turn").toSorted((a, b) => a.seq - b.seq)) {
    const before = [...ends].filter((end) => isBehind((nodes[end] as FlowNode).span, span));
    // Those that were asked for together follow the same steps.
    const sibling = nodes.findLast((other) => other.span.after === span.after);
    for (const end of before) ends.delete(end);
    ends.add(nodes.length);
    nodes.push({ span, after: before.length > 0 ? before : (sibling?.after ?? []) });
  }
  return nodes;
}

function isBehind({ endSeq }: TimelineSpan, { after }: TimelineSpan): boolean {
  return endSeq !== undefined && endSeq <= after;
}
