import type { ComponentChildren, VNode } from "preact";

export interface NoteProps {
  tone: "needs" | "bad" | "quiet";
  /** The state in a word or two; the rest explains it. */
  word?: string;
  role?: "alert" | "status";
  children?: ComponentChildren;
}

const SIGNS = { needs: "▲", bad: "✕", quiet: "" } as const;

/** Something to know about a file: a sign, a word and a colour, then what it means. */
export function Note({ tone, word, role, children }: NoteProps): VNode {
  return (
    <div class="callout file-note" data-tone={tone} role={role}>
      {SIGNS[tone] !== "" && (
        <span class="note-sign" aria-hidden="true">
          {SIGNS[tone]}
        </span>
      )}
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
