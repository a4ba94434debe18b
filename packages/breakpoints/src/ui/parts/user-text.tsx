/** Words that others have written: never markup, and nothing in them is hidden. */
import { Visible } from "../text/line-text.js";

interface UserTextProps {
  text: string;
  class?: string;
  /** Line breaks are kept. */
  lines?: boolean;
  /** On lines of its own: text that runs from right to left begins at the right. */
  block?: boolean;
}

export function UserText({ text, lines = false, block = false, class: name = "" }: UserTextProps) {
  const names = [name, lines ? "pre" : "", block ? "block" : ""].filter((one) => one !== "").join(" ");
  return (
    <bdi dir="auto" class={names === "" ? undefined : names}>
      <Visible text={text} />
    </bdi>
  );
}
