/** A command to be typed, or copied. */
import { CopyButton } from "./copy-button.js";

export function Command({ text }: { text: string }) {
  return (
    <div class="command">
      <code>{text}</code>
      <CopyButton text={text} what="the command" word="Copy" />
    </div>
  );
}
