import { useEffect } from "preact/hooks";
import { type KeyAction, type KeyMeaning, meaningOf } from "../model/keys.js";
import { RUN_PARTS } from "../model/routes.js";
import type { RunData } from "./run-data.js";
import type { RunMoves } from "./run-place.js";

const TYPED = "input:not([type=range]), textarea, select, [contenteditable]";
const PRESSED = "a[href], button, summary, [role=button], [role=tab], [role=option]";

/** What the keys of the inbox mean on the page of a run. It hears them first, and leaves those that mean nothing here. */
export function useRunKeys(data: RunData, moves: RunMoves): void {
  useEffect(() => {
    let isBegun = false;
    const onKey = (event: KeyboardEvent): void => {
      // The second key of a sequence belongs to whoever knows the first one.
      const wasBegun = isBegun;
      isBegun = false;
      if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]") !== null) return;
      const meaning = meaningHere(event);
      isBegun = meaning.pending !== "";
      if (wasBegun || !act(meaning, data, moves)) return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [data, moves]);
}

function meaningHere(event: KeyboardEvent): KeyMeaning {
  const target = event.target instanceof Element ? event.target : document.body;
  return meaningOf(
    {
      key: event.key,
      modified: event.ctrlKey || event.metaKey || event.altKey,
      repeated: event.repeat,
      typing: target.closest(TYPED) !== null,
      onControl: target.closest(PRESSED) !== null,
    },
    "",
  );
}

type Act = (parts: { data: RunData; moves: RunMoves; number: number }) => boolean;

/** False when the key means nothing here. */
const ACTS: Partial<Record<KeyAction, Act>> = {
  down: ({ moves }) => moves.selectBy(1),
  up: ({ moves }) => moves.selectBy(-1),
  earlier: ({ moves }) => moves.travelBy(-1),
  later: ({ moves }) => moves.travelBy(1),
  option: ({ moves, number }) => {
    const part = RUN_PARTS[number];
    if (part !== undefined) moves.show(part);
    return part !== undefined;
  },
  back: ({ data, moves }) => {
    if (data.at.peek() === undefined || document.activeElement?.matches(TYPED) === true) return false;
    moves.travel(undefined);
    return true;
  },
};

function act({ action, number = -1 }: KeyMeaning, data: RunData, moves: RunMoves): boolean {
  return action !== undefined && ACTS[action]?.({ data, moves, number }) === true;
}
