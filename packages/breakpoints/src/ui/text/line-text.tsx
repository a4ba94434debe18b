/** Text of others on the page: never as HTML, and with everything hidden in it shown. */
import type { VNode } from "preact";
import "../styles/text.css";
import type { Span } from "./spans.js";
import { TURNED, visible } from "./visible.js";

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

const TURNED_WORDS = new RegExp(`(${TURNED}(?:[\\p{M}\\p{Nd} ]*${TURNED})*\\p{M}*)`, "u");

/** In a line of code, such words do not turn the signs around them, or code could read other than it runs. */
function LinePiece({ text }: { text: string }): VNode {
  if (!TURNED_WORDS.test(text)) return <Visible text={text} />;
  return (
    <>
      {text.split(TURNED_WORDS).map((piece, index) =>
        index % 2 === 0 ? (
          <Visible text={piece} />
        ) : (
          <bdi>
            <Visible text={piece} />
          </bdi>
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
          <LinePiece text={text} />
        ) : (
          <span class={kind}>
            <LinePiece text={text} />
          </span>
        ),
      )}
    </>
  );
}
