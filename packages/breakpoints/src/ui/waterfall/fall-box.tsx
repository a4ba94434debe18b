/** The rows: names and focus on the page, bars on a canvas behind them. */
import { useMemo, useRef } from "preact/hooks";
import { bandsSeen, type Shape, shapesOf, type Tone } from "./drawing.js";
import { FallHead } from "./fall-head.js";
import { LaneName, StepRow } from "./fall-row.js";
import { FallTip } from "./fall-tip.js";
import { type Flag, flagsOf } from "./flags.js";
import { headLabels } from "./head-labels.js";
import { laneLabel, laneLabels } from "./lane-labels.js";
import { MARGIN } from "./layout.js";
import { Painted } from "./painted.js";
import { MARK_LOOKS, type StateLook } from "./span-look.js";
import { ticksOf } from "./ticks.js";
import type { Fall } from "./use-fall.js";
import { useFallKeys } from "./use-fall-keys.js";
import { useFallPointer } from "./use-fall-pointer.js";

const LINES: Readonly<Record<StateLook["tone"], Tone>> = {
  work: "work",
  needs: "person",
  quiet: "time",
  good: "work",
  bad: "bad",
};

export function FallBox({ fall }: { fall: Fall }) {
  const { rows, mode, window, layout, scale, gaps, chosen, timeline } = fall;
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = useFallKeys(fall, list);
  const pointer = useFallPointer(fall, list);
  const head = useHead(fall);
  const { ticks, flags } = head;
  const shapes: Shape[] = useMemo(
    () => shapesOf({ rows, mode, window, layout, scale, gaps, ticks, selected: chosen, flags: flags.map(lineOf) }),
    [rows, mode, window, layout, scale, gaps, ticks, chosen, flags],
  );
  return (
    <div class="fall-box" ref={fall.box} onScroll={fall.look}>
      {useMemo(
        () => (
          <FallHead fall={fall} {...head} />
        ),
        // Not for every row that scrolls by.
        // oxlint-disable-next-line exhaustive-deps
        [head, layout, fall.selected, fall.onSelect],
      )}
      <div
        class="fall-rows"
        data-mode={mode}
        ref={list}
        role="listbox"
        aria-label="Steps"
        style={{ height: `${rows.count(mode) * layout.row}px` }}
        onKeyDown={onKeyDown}
        {...pointer}
      >
        <Painted
          shapes={shapes}
          width={layout.chart + MARGIN}
          height={(window.end - window.first) * layout.row}
          theme={fall.theme}
          top={window.first * layout.row}
          left={layout.names}
        />
        {mode === "steps" ? <StepRows fall={fall} /> : <LaneNames fall={fall} />}
      </div>
      <FallTip hover={fall.hover} rows={rows} end={timeline.to} />
    </div>
  );
}

function lineOf({ x, marks }: Flag): { x: number; tone: Tone } {
  return { x, tone: LINES[MARK_LOOKS[marks[0]?.kind ?? "ended"].tone] };
}

function useHead({ timeline, scale, gaps, rows, layout }: Fall) {
  const ticks = useMemo(
    () => ticksOf(scale, gaps, -new Date(scale.fold.whole.from).getTimezoneOffset() * 60_000 || 0),
    [scale, gaps],
  );
  const flags: Flag[] = useMemo(
    () => flagsOf(timeline.marks, scale, { flag: layout.isNarrow ? 44 : 24, margin: MARGIN }),
    [timeline, scale, layout],
  );
  return useMemo(
    () => ({
      ticks,
      flags,
      labels: headLabels(scale, { gaps, ticks, now: timeline.isOver ? undefined : timeline.to }),
      bands: bandsSeen(rows, scale),
    }),
    [ticks, flags, scale, gaps, rows, timeline],
  );
}

/** Those of the window, and the one that keys are about, wherever it is. */
function StepRows({ fall }: { fall: Fall }) {
  const { window, active, rows } = fall;
  const shown = Array.from({ length: window.end - window.first }, (_, n) => window.first + n);
  if (active < window.first) shown.unshift(active);
  else if (active >= window.end) shown.push(active);
  return (
    <>
      {shown.map((index) => {
        const span = rows.span(index);
        return span === undefined ? null : <StepRow key={span.id} fall={fall} span={span} index={index} />;
      })}
    </>
  );
}

function LaneNames({ fall }: { fall: Fall }) {
  const { rows, window, scale, active } = fall;
  const labels = useMemo(() => laneLabels(rows, window, scale), [rows, window, scale]);
  const shown = labels.some(({ index }) => index === active) ? labels : [...labels, laneLabel(rows, active, scale)];
  return (
    <>
      {shown.map((label) => {
        const span = rows.span(label.index);
        return span === undefined ? null : <LaneName key={span.id} fall={fall} span={span} label={label} />;
      })}
    </>
  );
}
