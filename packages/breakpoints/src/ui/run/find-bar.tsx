/** Search within what is shown: words, how often they were found, and the way from one place to the next. */
import type { ComponentChildren } from "preact";
import { Icon } from "../parts/icons.js";

interface FindBarProps {
  label: string;
  words: string;
  onWords: (words: string) => void;
  /** How much was found, in words. */
  found: string;
  /** 1 for the next one, -1 for the one before. */
  onStep?: ((by: 1 | -1) => void) | undefined;
  canStep?: boolean;
  children?: ComponentChildren;
}

export function FindBar({ label, words, onWords, found, onStep, canStep = false, children }: FindBarProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && onStep !== undefined) {
      onStep(event.shiftKey ? -1 : 1);
      event.preventDefault();
    } else if (event.key === "Escape" && words !== "") {
      onWords("");
      event.stopPropagation();
    }
  };
  return (
    <div class="find-bar" role="search">
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          value={words}
          onInput={(event) => onWords(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <span class="find-count" role="status">
        {found}
      </span>
      {onStep === undefined ? null : (
        <>
          <StepButton word="Previous match" icon="up" disabled={!canStep} onClick={() => onStep(-1)} />
          <StepButton word="Next match" icon="down" disabled={!canStep} onClick={() => onStep(1)} />
        </>
      )}
      {children}
    </div>
  );
}

interface StepButtonProps {
  word: string;
  icon: "up" | "down";
  disabled: boolean;
  onClick: () => void;
}

function StepButton({ word, icon, disabled, onClick }: StepButtonProps) {
  return (
    <button
      type="button"
      class="button"
      data-kind="quiet"
      data-size="icon"
      aria-label={word}
      title={word}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
