/** Text of others on the page: never as HTML, and with everything hidden in it shown. */
import type { VNode } from "preact";
import "../styles/text.css";
import type { Span } from "./spans.js";
import { visible } from "./visible.js";

export function Visible({ text }: { text: string }): VNode {
  return (
    <>
      {visible(text).map(({ text: piece, hidden }) =>
        hidden === undefined ? (
          piece
        ) : (
          <span class="hidden-character" title={hidden}>
            {piece}
          </span>
        ),
      )}
    </>
  );
}

export function LineText({ spans }: { spans: readonly Span[] }): VNode {
  return (
    <>
      {spans.map(({ text, kind }) =>
        kind === undefined ? (
          <Visible text={text} />
        ) : (
          <span class={kind}>
            <Visible text={text} />
          </span>
        ),
      )}
    </>
  );
}
