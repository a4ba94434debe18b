/** Sentences of ours with words of others in them: those do not turn the sentence around. */
import { Visible } from "../text/line-text.js";
import { messageParts } from "../text/message-parts.js";

/** `class`: as for words that others have written. */
export function MessageText({ text, class: name }: { text: string; class?: string }) {
  const { dir, parts } = messageParts(text);
  return (
    <bdi dir={dir} class={name}>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          <Visible key={index} text={part} />
        ) : (
          <bdi key={index}>
            <Visible text={part} />
          </bdi>
        ),
      )}
    </bdi>
  );
}

/** Our own words first, then those of others, and so on in turns. A journal may have anything even in our words. */
export function Sentence({ pieces }: { pieces: readonly string[] }) {
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 0 ? <Visible key={index} text={piece} /> : <MessageText key={index} text={piece} />,
      )}
    </>
  );
}
