import type { VNode } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isBlank } from "../model/blank.js";
import { Icon } from "../parts/icons.js";
import { type LineSelection, namesOf } from "./line-selection.js";

export interface CommentFormProps {
  /** The lines it is about; the whole file when missing. */
  lines?: LineSelection;
  text: string;
  /** The keyboard goes there at once; not when the page has only been loaded again. */
  takesFocus: boolean;
  onText: (text: string) => void;
  /** Takes the lines one further up or down: a finger does not always hit the right one. */
  onShift?: (by: 1 | -1) => void;
  onSend: () => Promise<void>;
  onClose: () => void;
}

/** A comment being written. What is typed is kept by the caller with every key. */
export function CommentForm(props: CommentFormProps): VNode {
  const { lines, text, takesFocus, onText, onShift, onSend, onClose } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  useLayoutEffect(() => {
    if (!takesFocus) return;
    field.current?.focus();
    field.current?.closest(".comment-form")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [takesFocus, lines?.line, lines?.endLine]);
  const send = async (): Promise<void> => {
    if (isSending || isBlank(text)) return;
    setSending(true);
    setProblem(undefined);
    try {
      await onSend();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") onClose();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
  };
  const place = lines === undefined ? "the whole file" : namesOf(lines);
  const name = `Comment on ${place}${lines?.side === "base" ? " before the change" : ""}`;
  return (
    <div class="comment-form field" onKeyDown={onKeyDown}>
      <div class="comment-top">
        <label class="comment-label" for={id}>
          {name}
        </label>
        {onShift !== undefined && (
          <span class="line-shift">
            <ShiftButton word="One line up" icon="up" onClick={() => onShift(-1)} />
            <ShiftButton word="One line down" icon="down" onClick={() => onShift(1)} />
          </span>
        )}
      </div>
      <textarea
        ref={field}
        id={id}
        rows={3}
        dir="auto"
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
      />
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`} role="alert">
          Not sent: {problem} Your words are kept.
        </p>
      )}
      <div class="comment-actions">
        <button type="button" class="button" disabled={isSending || isBlank(text)} onClick={() => void send()}>
          {isSending ? "Sending…" : "Comment"}
        </button>
        <button type="button" class="button" data-kind="quiet" onClick={onClose}>
          {isBlank(text) ? "Cancel" : "Close, keep draft"}
        </button>
        <span class="hint">Ctrl+Enter sends</span>
      </div>
    </div>
  );
}

function ShiftButton({ word, icon, onClick }: { word: string; icon: "up" | "down"; onClick: () => void }): VNode {
  return (
    <button
      type="button"
      class="button"
      data-kind="quiet"
      data-size="icon"
      aria-label={word}
      title={word}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
