/** The run as it was after any of its events. */
import { useEffect, useRef } from "preact/hooks";
import { counted } from "../model/counted.js";
import { Icon } from "../parts/icons.js";
import type { RunData } from "./run-data.js";
import type { RunMoves } from "./run-place.js";
import { positionOf, secondsTime, sliderMarks } from "./travel-words.js";

interface TravelProps {
  data: RunData;
  moves: RunMoves;
}

/** That this is not how the run stands now. */
export function TravelBanner({ data, moves }: TravelProps) {
  const at = data.at.value;
  if (at === undefined) return null;
  const events = data.shownEvents.value;
  const last = events.at(-1);
  const isThere = events.length === at;
  const total = data.total.value;
  return (
    <div class="travel-banner" role="status" data-tone="needs">
      <Icon name="history" />
      <div class="travel-text">
        {isThere && last !== undefined ? (
          <strong>
            This is the run as it was after event {at} of {total}, {secondsTime(last.timestamp)}.
          </strong>
        ) : (
          <strong>
            {data.events.value.length < total
              ? `Loading up to event ${at}…`
              : `The run has only ${counted(total, "event")} so far.`}
          </strong>
        )}
      </div>
      <button type="button" class="button" onClick={() => moves.travel(undefined)}>
        Back to now
      </button>
    </div>
  );
}

export function TravelBar({ data, moves }: TravelProps) {
  // Before the events are here, so that nothing moves when they are.
  const total = data.total.value || (data.detail.value?.events ?? 0);
  const at = Math.min(data.at.value ?? total, total);
  const slide = useFrame((seq: number) => moves.travel(seq));
  if (total < 2) return null;
  const time = data.events.value[at - 1]?.timestamp;
  return (
    <div class="travel" role="group" aria-label="Time travel" data-now={data.at.value === undefined}>
      <span class="travel-name" aria-hidden="true">
        <Icon name="history" />
        <span>Go back in time</span>
      </span>
      <StepButton word="One event back" icon="back" isOff={at <= 1} onClick={() => moves.travelBy(-1)} />
      <div class="travel-track">
        <div class="travel-marks" aria-hidden="true">
          {sliderMarks(data.marks.value, total).map(({ seq, kind, text }) => (
            <span
              key={seq}
              class="travel-mark"
              data-kind={kind}
              title={text}
              style={{ insetInlineStart: `${positionOf(seq, total)}%` }}
            />
          ))}
        </div>
        <input
          type="range"
          min={1}
          max={total}
          step={1}
          value={at}
          aria-label="Show the run after event"
          aria-valuetext={`Event ${at} of ${total}${time === undefined ? "" : `, ${secondsTime(time)}`}`}
          onInput={(event) => slide(Number(event.currentTarget.value))}
        />
      </div>
      <StepButton word="One event forward" icon="forward" isOff={at >= total} onClick={() => moves.travelBy(1)} />
      <output class="travel-at quiet small">
        event {at.toLocaleString("en")} / {total.toLocaleString("en")}
      </output>
    </div>
  );
}

interface StepButtonProps {
  word: string;
  icon: "back" | "forward";
  isOff: boolean;
  onClick: () => void;
}

function StepButton({ word, icon, isOff, onClick }: StepButtonProps) {
  return (
    <button
      type="button"
      class="button"
      data-size="icon"
      aria-label={word}
      title={`${word} (${icon === "back" ? "h" : "l"})`}
      aria-disabled={isOff}
      onClick={() => isOff || onClick()}
    >
      <Icon name={icon} />
    </button>
  );
}

/** At most once per picture: a slider tells more often than anybody can see. */
function useFrame<T>(act: (value: T) => void): (value: T) => void {
  const frame = useRef({ asked: 0, value: undefined as T | undefined, act });
  frame.current.act = act;
  useEffect(() => () => cancelAnimationFrame(frame.current.asked), []);
  return (value) => {
    const { current } = frame;
    current.value = value;
    if (current.asked !== 0) return;
    current.asked = requestAnimationFrame(() => {
      current.asked = 0;
      current.act(current.value as T);
    });
  };
}
