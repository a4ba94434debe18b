/** Words that others have written: never markup, and nothing in them is hidden. */
import { Visible } from "../text/line-text.js";

interface UserTextProps {
  text: string;
  class?: string;
  /** Line breaks are kept. */
  lines?: boolean;
}

export function UserText({ text, lines = false, class: name = "" }: UserTextProps) {
  return (
    <bdi dir="auto" class={`${name} ${lines ? "pre" : ""}`.trim() || undefined}>
      <Visible text={text} />
    </bdi>
  );
}
