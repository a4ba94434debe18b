/** Rows of events. Whoever reads further up is told of new ones, and not moved. */
import { shownDuration } from "@a5c-ai/babysitter-sdk/view";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Windowed, type WindowedHandle } from "../files/windowed.js";
import type { Tone } from "../model/decision-words.js";
import { Icon, type IconName } from "../parts/icons.js";
import { Sentence } from "../parts/message-text.js";
import type { EventRow } from "./event-rows.js";
import { eventWords } from "./event-words.js";
import type { RunData } from "./run-data.js";
import type { RunMoves } from "./run-place.js";
import { spanStanding } from "./step-words.js";
import { secondsTime } from "./travel-words.js";

/** So near to the end counts as at the end, in pixels. */
const NEAR_END = 48;

interface EventListProps {
  data: RunData;
  rows: readonly EventRow[];
  /** The row that is chosen; -1 when none is. */
  current: number;
  isFiltered: boolean;
  moves: RunMoves;
}

export function EventList({ data, rows, current, isFiltered, moves }: EventListProps) {
  const handle = useRef<WindowedHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const { fresh, onScroll, toEnd } = useFreshRows(data, rows.length, handle);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (current < 0) return;
    // Whoever comes here by a link first sees the head of the run.
    const top = isFirst.current ? scrollerOf(box.current)?.scrollTop : undefined;
    handle.current?.show(current);
    if (top !== undefined) requestAnimationFrame(() => scrollerOf(box.current)?.scrollTo({ top }));
    isFirst.current = false;
    // Who moves by keys from row to row takes the focus along.
    if (box.current?.contains(document.activeElement) === true)
      requestAnimationFrame(() =>
        box.current?.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus({ preventScroll: true }),
      );
  }, [current, rows.length > 0]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    moves.selectBy(by);
  };
  const total = data.total.value;
  const here = data.events.value.length;
  return (
    <div class="event-box" ref={box} onScrollCapture={onScroll} onKeyDown={onKeyDown}>
      {rows.length === 0 ? (
        <p class="quiet event-none">{noEvents(data, isFiltered)}</p>
      ) : (
        <Windowed
          class="event-list"
          label="Events"
          rows={rows.length}
          digits={String(total).length}
          pinned={current < 0 ? [] : [current]}
          handle={handle}
          renderRow={(index) => (
            <Row
              key={index}
              data={data}
              row={rows[index] as EventRow}
              index={index}
              isCurrent={index === current}
              isStop={index === Math.max(0, current)}
              onSelect={(seq) => moves.select(seq)}
            />
          )}
          onEnd={() => undefined}
        />
      )}
      <div class="event-foot small quiet" role="status">
        {here < total ? `${here.toLocaleString("en")} of ${total.toLocaleString("en")} events read` : null}
        {fresh === 0 ? null : (
          <button type="button" class="button" onClick={toEnd}>
            <Icon name="down" />
            {fresh === 1 ? "1 new event" : `${fresh.toLocaleString("en")} new events`}
          </button>
        )}
      </div>
    </div>
  );
}

function noEvents({ problem, events }: RunData, isFiltered: boolean): string {
  if (isFiltered && events.value.length > 0) return "No events match.";
  return problem.value === undefined ? "Loading events…" : "The events could not be read.";
}

/** What scrolls the whole page. */
function scrollerOf(element: Element | null): Element | null {
  const pane = element?.closest(".pane-main") ?? null;
  return pane !== null && pane.scrollHeight > pane.clientHeight ? pane : document.scrollingElement;
}

/** How many rows have come since the end was last seen. At the end, the list follows. */
function useFreshRows(
  data: RunData,
  count: number,
  handle: { current: WindowedHandle | null },
): { fresh: number; onScroll: (event: Event) => void; toEnd: () => void } {
  const isAtEnd = useRef(false);
  const [seen, setSeen] = useState(count);
  const isReading = data.events.value.length < data.total.value;
  const isThen = data.at.value !== undefined;
  useEffect(() => {
    if (seen === 0 || isReading || isThen || count < seen || (isAtEnd.current && count > seen)) {
      if (isAtEnd.current && !isReading && !isThen) handle.current?.show(count - 1);
      setSeen(count);
    }
  }, [count, isReading, isThen]);
  return {
    fresh: seen === 0 || isReading || isThen ? 0 : Math.max(0, count - seen),
    onScroll: ({ target }) => {
      if (!(target instanceof HTMLElement) || !target.classList.contains("event-list")) return;
      isAtEnd.current = target.scrollHeight - target.scrollTop - target.clientHeight < NEAR_END;
      if (isAtEnd.current) setSeen(count);
    },
    toEnd: () => {
      handle.current?.show(count - 1);
      setSeen(count);
    },
  };
}

interface RowProps {
  data: RunData;
  row: EventRow;
  index: number;
  isCurrent: boolean;
  /** The one row that Tab leads to. */
  isStop: boolean;
  onSelect: (seq: number) => void;
}

const ICONS: Readonly<Record<Tone, IconName | undefined>> = {
  good: "check",
  bad: "cross",
  needs: "hand",
  quiet: undefined,
};
const OWN_ICONS: Readonly<Record<string, IconName>> = {
  CODE_CHANGED: "code",
  CODE_ACCEPTED: "code",
  LOOP_AMENDED: "report",
};

function Row({ data, row: { event, step }, index, isCurrent, isStop, onSelect }: RowProps) {
  const { pieces, tone, icon, about } =
    step === undefined ? eventLine(event, data) : stepLine(step, data.timeline.value?.to ?? step.from);
  return (
    <button
      type="button"
      class="event-row"
      data-row={index}
      data-tone={tone}
      aria-current={isCurrent ? "true" : undefined}
      tabIndex={isStop ? 0 : -1}
      onClick={() => onSelect(event.seq)}
    >
      <span class="event-seq quiet">{event.seq}</span>
      <span class="event-icon">{icon === undefined ? null : <Icon name={icon} />}</span>
      <span class="event-words">
        <Sentence pieces={pieces} />
      </span>
      <span class="event-about quiet">
        {secondsTime(event.timestamp)} · {about}
      </span>
    </button>
  );
}

interface Line {
  pieces: readonly string[];
  tone: Tone | "live";
  icon: IconName | undefined;
  about: string;
}

function eventLine(event: EventRow["event"], data: RunData): Line {
  const { pieces, tone } = eventWords(event, (id) => data.titles.value.get(id));
  return { pieces, tone, icon: OWN_ICONS[event.type] ?? ICONS[tone], about: event.type };
}

function stepLine(step: NonNullable<EventRow["step"]>, end: number): Line {
  const { word, tone, icon } = spanStanding(step);
  const took = shownDuration(Math.max(0, (step.to ?? end) - step.from));
  const tries = step.attempts.length > 1 ? `, ${step.attempts.length} attempts` : "";
  return { pieces: ["", step.title], tone, icon, about: `${word}, ${took}${tries}` };
}
