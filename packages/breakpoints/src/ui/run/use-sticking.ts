/** Keeps a box that scrolls at its end while more comes, until its reader scrolls up. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface Sticking {
  isAtEnd: boolean;
  toEnd: () => void;
  /** The reader looks elsewhere now. */
  leave: () => void;
  onScroll: () => void;
}

/** So near to the end counts as there, in pixels. */
const NEAR = 24;

export function useSticking(box: RefObject<HTMLElement | null>, beginsAtEnd: boolean, key: unknown): Sticking {
  /** Undefined until there is something to scroll. */
  const sticks = useRef<boolean | undefined>(undefined);
  const [isAtEnd, setAtEnd] = useState(true);
  const scroller = (): HTMLElement | null => box.current?.querySelector(".code-view") ?? null;
  const toEnd = (): void => {
    const element = scroller();
    sticks.current = true;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };
  const look = (): boolean => {
    const element = scroller();
    return element === null || element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
  };
  useLayoutEffect(() => {
    const rows = scroller()?.firstElementChild;
    if (rows === null || rows === undefined) return undefined;
    const observer = new ResizeObserver(() => {
      if (sticks.current) toEnd();
      setAtEnd(look());
    });
    observer.observe(rows);
    sticks.current ??= beginsAtEnd;
    if (sticks.current) toEnd();
    return () => observer.disconnect();
  }, [key]);
  return {
    isAtEnd,
    toEnd,
    leave: () => {
      sticks.current = false;
    },
    onScroll: () => {
      sticks.current = look();
      setAtEnd(sticks.current);
    },
  };
}
