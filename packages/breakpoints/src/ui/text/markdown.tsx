/** Placeholder of the room ui/text. */
import type { VNode } from "preact";
import { Visible } from "./line-text.js";

export function Markdown({ text }: { text: string }): VNode {
  return (
    <div class="markdown pre" dir="auto">
      <Visible text={text} />
    </div>
  );
}
