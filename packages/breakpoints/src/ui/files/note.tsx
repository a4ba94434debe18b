import type { ComponentChildren, VNode } from "preact";
import { Icon, type IconName } from "../parts/icons.js";

export interface NoteProps {
  tone: "needs" | "bad" | "quiet";
  /** Another icon than that of the tone. */
  icon?: IconName;
  /** The state in a word or two; the rest explains it. */
  word?: string;
  role?: "alert" | "status";
  children?: ComponentChildren;
}

const ICONS = { needs: "warning", bad: "cross", quiet: undefined } as const;

/** Something to know about a file: a sign, a word and a colour, then what it means. */
export function Note({ tone, icon = ICONS[tone], word, role, children }: NoteProps): VNode {
  return (
    <div class="callout file-note" data-tone={tone} role={role}>
      {icon !== undefined && <Icon name={icon} />}
      <span class="callout-text">
        {word !== undefined && <strong>{word} </strong>}
        {children}
      </span>
    </div>
  );
}

export interface QuietButtonProps {
  onClick: () => void;
  disabled?: boolean;
  children?: ComponentChildren;
}

/** A way out of a note. */
export function QuietButton({ onClick, disabled = false, children }: QuietButtonProps): VNode {
  return (
    <button type="button" class="button" disabled={disabled} onClick={onClick}>
      {children}
    </button>
  );
}
