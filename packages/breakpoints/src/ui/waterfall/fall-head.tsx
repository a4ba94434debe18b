/** Along the top: what happened when, rounds of the process, and times. */
import type { TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { Icon } from "../parts/icons.js";
import type { Band } from "./drawing.js";
import { type Flag, nextMark } from "./flags.js";
import type { Placed } from "./place-labels.js";
import { shownMoment } from "./shown-times.js";
import { MARK_LOOKS } from "./span-look.js";
import type { Fall } from "./use-fall.js";
import { useOnce } from "./use-once.js";

interface HeadProps {
  fall: Fall;
  flags: readonly Flag[];
  labels: readonly Placed[];
  bands: readonly Band[];
}

/** Narrower rounds have no number. */
const LEAST_BAND = 20;
/** Narrower ones have only that. */
const NAMED_BAND = 96;
/** What one flag stands for, in words. */
const MOST_WORDS = 5;

export function FallHead({ fall, flags, labels, bands }: HeadProps) {
  const { layout, timeline, scale } = fall;
  const now = scale.x(timeline.to);
  // While steps are worked on, the second round of the process moves nothing.
  const hasBands = useOnce(timeline.iterations.length > 1 || timeline.spans.some(isUnderWay));
  return (
    <div class="fall-head" ref={fall.head}>
      {layout.names === 0 ? null : (
        <span class="fall-corner" style={{ width: `${layout.names}px` }}>
          {timeline.spans.length === 1 ? "1 step" : `${timeline.spans.length.toLocaleString("en")} steps`}
        </span>
      )}
      <div class="fall-axis">
        {timeline.marks.length === 0 ? null : (
          <div class="fall-flags">
            {flags.map((flag) => (
              <FlagButton key={flag.marks[0]?.seq} flag={flag} selected={fall.selected} onSelect={fall.onSelect} />
            ))}
          </div>
        )}
        {hasBands ? <Bands bands={bands} /> : null}
        <div class="fall-times">
          {labels.map(({ key, text, left, width, tone }) => (
            <span key={key} data-tone={tone} style={{ left: `${left}px`, width: `${width}px` }}>
              {text}
            </span>
          ))}
        </div>
        {timeline.isOver || now > scale.width + 1 ? null : (
          <span class="fall-now" style={{ left: `${now}px` }}>
            {fall.endWord}
          </span>
        )}
      </div>
    </div>
  );
}

function isUnderWay({ state, who }: TimelineSpan): boolean {
  return state === "open" && who !== "person" && who !== "time";
}

function Bands({ bands }: { bands: readonly Band[] }) {
  return (
    <div class="fall-bands">
      {bands
        .filter(({ width }) => width >= LEAST_BAND && bands.length > 1)
        .map(({ number, iteration, x, width }) => (
          <span
            key={number}
            title={`Iteration ${iteration}`}
            style={{ left: `${x}px`, width: `${width}px` }}
            data-even={number % 2 === 0}
          >
            <span class={width < NAMED_BAND ? "unseen" : undefined}>Iteration </span>
            {iteration}
          </span>
        ))}
    </div>
  );
}

interface FlagProps {
  flag: Flag;
  selected: number | undefined;
  onSelect: (seq: number) => void;
}

function FlagButton({ flag, selected, onSelect }: FlagProps) {
  const words = flagWords(flag);
  const shown = flag.marks.find(({ seq }) => seq === selected) ?? flag.marks[0];
  if (shown === undefined) return null;
  const { icon, tone } = MARK_LOOKS[shown.kind];
  return (
    <button
      type="button"
      class="fall-flag"
      data-tone={tone}
      data-left={flag.isLeft}
      aria-pressed={flag.marks.some(({ seq }) => seq === selected)}
      aria-label={flag.text === undefined || flag.marks.length === 1 ? words : `${flag.text}: ${words}`}
      title={words}
      style={{ left: `${flag.x}px` }}
      onClick={() => onSelect(nextMark(flag, selected).seq)}
    >
      <Icon name={icon} />
      {flag.text}
    </button>
  );
}

function flagWords({ marks }: Flag): string {
  const words = marks.slice(0, MOST_WORDS).map(({ text, at }) => `${text}, ${shownMoment(at)}`);
  return [...words, ...(marks.length > MOST_WORDS ? [`and ${marks.length - MOST_WORDS} more`] : [])].join("; ");
}
