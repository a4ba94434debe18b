/** Short notices of what has just happened. They are read out, and go away by themselves. */
import { signal } from "@preact/signals";
import type { Tone } from "../model/decision-words.js";
import { Icon, type IconName } from "./icons.js";
import { Link } from "./link.js";
import { UserText } from "./user-text.js";

export interface Notice {
  text: string;
  tone: Tone;
  /** Foreign text, behind ours. */
  about?: string;
  /** A sentence below them. */
  more?: string;
  link?: { to: string; word: string };
}

const SHOWN_MS = 8000;
const ICONS: Record<Tone, IconName> = { good: "check", bad: "cross", needs: "warning", quiet: "check" };

const shown = signal<(Notice & { n: number }) | undefined>(undefined);
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

export function notify(notice: Notice): void {
  count += 1;
  shown.value = { ...notice, n: count };
  leave();
}

function hold(): void {
  clearTimeout(timer);
}

function leave(): void {
  clearTimeout(timer);
  timer = setTimeout(close, SHOWN_MS);
}

function close(): void {
  shown.value = undefined;
}

export function Notices() {
  const notice = shown.value;
  return (
    <div class="notices" role="status" aria-live="polite">
      {notice === undefined ? null : (
        <div
          key={notice.n}
          class="notice"
          data-tone={notice.tone}
          onMouseEnter={hold}
          onMouseLeave={leave}
          onFocusIn={hold}
          onFocusOut={leave}
        >
          <span class="notice-text">
            <span class="notice-line">
              <span class="mark">
                <Icon name={ICONS[notice.tone]} />
                <UserText text={notice.text} />
              </span>
              {notice.about === undefined ? null : <UserText text={notice.about} />}
            </span>
            {notice.more}
          </span>
          {notice.link === undefined ? null : (
            <Link to={notice.link.to} onFollow={close}>
              {notice.link.word}
            </Link>
          )}
          <button
            type="button"
            class="button"
            data-kind="quiet"
            data-size="icon"
            aria-label="Close the notice"
            onClick={close}
          >
            <Icon name="cross" />
          </button>
        </div>
      )}
    </div>
  );
}
