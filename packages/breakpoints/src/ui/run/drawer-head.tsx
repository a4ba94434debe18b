/** Above the step or the event that is chosen: what it is, and the way to its neighbours and out. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "../parts/icons.js";
import type { RunMoves } from "./run-place.js";

interface DrawerHeadProps {
  what: "step" | "event";
  /** Which one: another one is read from its beginning. */
  of: number | string;
  moves: RunMoves;
  children: ComponentChildren;
}

export function DrawerHead({ what, of, moves, children }: DrawerHeadProps) {
  const head = useRef<HTMLElement>(null);
  useLayoutEffect(() => head.current?.parentElement?.scrollTo({ top: 0 }), [of]);
  return (
    <header class="step-head" ref={head}>
      <h2>{children}</h2>
      <span class="step-moves">
        <HeadButton icon="up" word={`Previous ${what}`} onClick={() => moves.selectBy(-1)} />
        <HeadButton icon="down" word={`Next ${what}`} onClick={() => moves.selectBy(1)} />
        <HeadButton icon="cross" word={`Close the ${what}`} onClick={() => moves.select(undefined)} />
      </span>
    </header>
  );
}

function HeadButton({ icon, word, onClick }: { icon: IconName; word: string; onClick: () => void }) {
  return (
    <button
      type="button"
      class="button"
      data-kind="quiet"
      data-size="icon"
      aria-label={word}
      title={word}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
