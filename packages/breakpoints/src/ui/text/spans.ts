/** A line as pieces that look different. Kinds are names of ours, never words of the text. */

export interface Span {
  text: string;
  /** Classes, separated by spaces. */
  kind?: string;
}

/** From and to, in characters of a line. */
export type Range = readonly [from: number, to: number];

/** No more than so many characters of a line. */
export function cutSpans(spans: readonly Span[], longest: number): Span[] {
  const cut: Span[] = [];
  let left = longest;
  for (const span of spans) {
    if (left <= 0) break;
    cut.push(span.text.length <= left ? span : { ...span, text: span.text.slice(0, left) });
    left -= span.text.length;
  }
  return cut;
}

/** The same spans, with a kind added wherever one of the ranges, which are in order, covers them. */
export function markSpans(spans: readonly Span[], ranges: readonly Range[], kind: string): Span[] {
  if (ranges.length === 0) return [...spans];
  const marked: Span[] = [];
  let at = 0;
  for (const span of spans) {
    const end = at + span.text.length;
    let done = at;
    const add = (until: number, isMarked: boolean): void => {
      if (until <= done) return;
      const text = span.text.slice(done - at, until - at);
      const kinds = [span.kind, isMarked ? kind : undefined].filter((one) => one !== undefined).join(" ");
      marked.push(kinds === "" ? { text } : { text, kind: kinds });
      done = until;
    };
    for (const [from, to] of ranges) {
      if (to <= at || from >= end) continue;
      add(Math.max(from, at), false);
      add(Math.min(to, end), true);
    }
    add(end, false);
    at = end;
  }
  return marked;
}
