/** A field for several lines. What is typed is handed on at once, so that it can be kept. */
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { SUBMIT_KEYS } from "../model/keys.js";

interface TextFieldProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  onSubmit: () => void;
  placeholder?: string;
  problem?: string | undefined;
  /** Takes the focus when it appears. */
  focus?: boolean;
  hint?: string;
  /** For the key that leads here. */
  name?: string;
}

export function TextField(props: TextFieldProps) {
  const { label, text, onText, onSubmit, placeholder, problem, focus = false, hint, name } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key comes: it belongs in the field.
  useLayoutEffect(() => {
    if (!focus) return;
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(text.length, text.length);
    // Only when it appears: later the focus belongs to whoever types.
    // oxlint-disable-next-line exhaustive-deps
  }, []);
  // Whoever is told that something is missing can type it at once.
  useLayoutEffect(() => {
    if (problem !== undefined) field.current?.focus();
  }, [problem]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        ref={field}
        id={id}
        name={name}
        dir="auto"
        rows={2}
        value={text}
        placeholder={placeholder}
        aria-invalid={problem === undefined ? undefined : "true"}
        aria-describedby={`${id}-about`}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span id={`${id}-about`} class={problem === undefined ? "hint" : "field-problem"}>
        {problem ?? `${hint ?? ""} ${SUBMIT_KEYS} sends it.`.trim()}
      </span>
    </div>
  );
}
