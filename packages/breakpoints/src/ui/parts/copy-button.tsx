/** Copies a text, and says that it did. */
import { useState } from "preact/hooks";
import { Icon, type IconName } from "./icons.js";
import { notify } from "./notices.js";

interface CopyProps {
  /** A long one is made when it is wanted. */
  text: string | (() => string);
  /** What is copied, such as "the link". */
  what: string;
  /** Beside the icon; without it the button is the icon alone. */
  word?: string;
  icon?: IconName;
}

export function CopyButton({ text, what, word, icon = "copy" }: CopyProps) {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    } catch {
      notify({ text: `The browser could not copy ${what}.`, tone: "bad" });
      return;
    }
    notify({ text: `Copied ${what}.`, tone: "quiet" });
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <button
      type="button"
      class="button"
      data-kind="quiet"
      data-size={word === undefined ? "icon" : undefined}
      aria-label={word === undefined ? `Copy ${what}` : undefined}
      title={`Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={done ? "check" : icon} />
      {word}
    </button>
  );
}
