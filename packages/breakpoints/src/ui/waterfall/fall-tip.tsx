/** More about the step under the pointer. */
import type { ReadonlySignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icons.js";
import { MessageText } from "../parts/message-text.js";
import { UserText } from "../parts/user-text.js";
import { Details } from "./fall-row.js";
import type { FallRows } from "./fall-rows.js";
import { shownMoment } from "./shown-times.js";
import { errorLine, lookOf } from "./span-look.js";
import type { Hover } from "./use-fall.js";

interface TipProps {
  hover: ReadonlySignal<Hover | undefined>;
  rows: FallRows;
  end: number;
}

/** From the pointer. */
const APART = 14;

export function FallTip({ hover, rows, end }: TipProps) {
  const tip = useRef<HTMLDivElement>(null);
  const at = hover.value;
  const span = at === undefined ? undefined : rows.span(at.index);
  // It stays inside of the window, whatever its words are.
  useLayoutEffect(() => {
    const { current } = tip;
    if (current === null || at === undefined) return;
    const { width, height } = current.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const below = at.y + APART + height <= clientHeight;
    current.style.left = `${Math.max(0, Math.min(at.x + APART, clientWidth - width - APART))}px`;
    current.style.top = `${Math.max(0, below ? at.y + APART : at.y - APART - height)}px`;
  });
  if (span === undefined) return null;
  const { icon, word, tone } = lookOf(span);
  const error = errorLine(span);
  return (
    <div class="fall-tip" role="tooltip" ref={tip}>
      <UserText text={span.title} class="fall-title" />
      <p class="fall-details">
        <span class="mark" data-tone={tone}>
          <Icon name={icon} />
          {word}
        </span>{" "}
        <Details span={span} end={end} />
      </p>
      <p class="fall-details">From {shownMoment(span.from)}</p>
      {error === undefined ? null : (
        <p class="fall-error">
          <MessageText text={error} />
        </p>
      )}
    </div>
  );
}
