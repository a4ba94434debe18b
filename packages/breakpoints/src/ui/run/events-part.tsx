/** Everything that has happened in a run, one row after the other, and the event that is chosen. */
import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "../parts/icons.js";
import { EventDetail } from "./event-detail.js";
import { EventList } from "./event-list.js";
import {
  EVENT_LEVELS,
  type EventFilter,
  type EventLevel,
  eventRows,
  neighbourRow,
  rowOf,
  typesIn,
} from "./event-rows.js";
import type { RunData } from "./run-data.js";
import type { RunMoves } from "./run-place.js";

const LEVELS: Readonly<Record<EventLevel, string>> = { compact: "Compact", detailed: "Detailed", raw: "Raw JSON" };

export function EventsPart({ data, moves }: { data: RunData; moves: RunMoves }) {
  const filter = useSignal<EventFilter>({ type: "", search: "" });
  const level = useSignal<EventLevel>("detailed");
  const rows = useComputed(() =>
    eventRows(data.shownEvents.value, {
      level: level.value,
      filter: filter.value,
      titleOf: (id) => data.titles.value.get(id),
      // Only grouped rows need them, and a long run has many.
      spans: level.value === "compact" ? (data.timeline.value?.spans ?? []) : [],
    }),
  );
  useEffect(() => {
    moves.neighbour = (seq, by) => neighbourRow(rows.peek(), data.events.peek(), { seq, by });
    return () => void (moves.neighbour = undefined);
  }, [data, moves, rows]);
  const selected = data.selected.value;
  return (
    <div class="run-events">
      <Tools data={data} filter={filter.value} onFilter={(next) => (filter.value = next)}>
        <Levels level={level.value} onLevel={(next) => (level.value = next)} />
      </Tools>
      <div class="run-events-main" data-open={selected === undefined ? undefined : "true"}>
        <EventList
          data={data}
          rows={rows.value}
          current={rowOf(rows.value, data.events.value, selected)}
          isFiltered={filter.value.type !== "" || filter.value.search !== ""}
          moves={moves}
        />
        {selected === undefined ? null : (
          <EventDetail data={data} seq={selected} isRaw={level.value === "raw"} moves={moves} />
        )}
      </div>
    </div>
  );
}

interface ToolsProps {
  data: RunData;
  filter: EventFilter;
  onFilter: (filter: EventFilter) => void;
  children: ComponentChildren;
}

function Tools({ data, filter, onFilter, children }: ToolsProps) {
  const types = useComputed(() => typesIn(data.shownEvents.value)).value;
  return (
    <div class="run-tools">
      {children}
      <label class="search run-search">
        <span class="unseen">Search events</span>
        <Icon name="search" />
        <input
          type="search"
          name="search"
          placeholder="Search events"
          value={filter.search}
          onInput={(event) => onFilter({ ...filter, search: event.currentTarget.value })}
        />
      </label>
      <label class="run-select">
        <span class="unseen">Event type</span>
        <select value={filter.type} onChange={(event) => onFilter({ ...filter, type: event.currentTarget.value })}>
          <option value="">All types</option>
          {types.map(({ type, count }) => (
            <option key={type} value={type}>
              {`${type} (${count})`}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Levels({ level, onLevel }: { level: EventLevel; onLevel: (level: EventLevel) => void }) {
  return (
    <div class="run-levels" role="group" aria-label="How much is shown">
      {EVENT_LEVELS.map((one) => (
        <button key={one} type="button" class="button" aria-pressed={one === level} onClick={() => onLevel(one)}>
          {LEVELS[one]}
        </button>
      ))}
    </div>
  );
}
