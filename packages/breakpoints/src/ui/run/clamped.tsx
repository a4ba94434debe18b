/** What a program has said went wrong, without its colours: the first lines, and the rest when somebody wants it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { MessageText } from "../parts/message-text.js";
import { withoutEscapes } from "../text/ansi.js";

/** `class`: cuts it after some lines. */
export function Clamped({ text, class: name }: { text: string; class: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isCut, setCut] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || isOpen) return undefined;
    const measure = (): void => setCut(element.scrollHeight > element.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, isOpen]);
  return (
    <>
      <div ref={box} class={isOpen ? undefined : name}>
        <MessageText text={withoutEscapes(text)} class="pre" />
      </div>
      {isCut ? (
        <button type="button" class="button" data-kind="quiet" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : "Show all"}
        </button>
      ) : null}
    </>
  );
}
