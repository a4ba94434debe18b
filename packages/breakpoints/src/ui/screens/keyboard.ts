/** Leads keys to what they do. The table of keys is in ui/model. */
import { history, inbox, reading } from "../api/inbox-state.js";
import { numberedOptions } from "../model/decision-guard.js";
import { type KeyAction, meaningOf } from "../model/keys.js";
import { addressOf } from "../model/routes.js";
import { go, route } from "../parts/address.js";
import { isWide } from "../parts/page-width.js";
import { decidable, guarded, mode, propose, setMode } from "./decision-state.js";
import { helpOpen, openHelp } from "./help-state.js";
import { askFocus, goToNext, step } from "./moves.js";
import { ownAction } from "./own-keys.js";

const SEQUENCE_MS = 1500;
const TYPED = "input, textarea, select, [contenteditable]";
const PRESSED = "a[href], button, summary, [role=button], [role=tab], [role=option]";

const ACTIONS: Record<KeyAction, (number: number) => void> = {
  down: () => step(1),
  up: () => step(-1),
  open: openCurrent,
  approve: () => {
    const question = decidable();
    if (question === undefined || guarded.peek() || mode.peek().kind !== "idle") return;
    if (question.options.length > 0) setMode({ kind: "options" });
    else propose({ kind: "approve", text: "" });
  },
  reject: () => openForm("reject"),
  words: () => openForm("words"),
  options: () => {
    if ((decidable()?.options.length ?? 0) > 0) setMode({ kind: "options" });
  },
  option: (number) => {
    const found = numberedOptions(decidable()?.options ?? [])[number];
    if (found === undefined || guarded.peek()) return;
    if (mode.peek().kind === "idle" || mode.peek().kind === "options")
      propose({ kind: "option", option: found.choice, text: "" });
  },
  comment: () => focusOn("textarea[name=comment]"),
  next: goToNext,
  new: () => (route.peek().screen === "history" ? history : inbox).settle(),
  // Whoever shows files, cards or a run listens to these.
  files: () => undefined,
  pick: () => undefined,
  earlier: () => undefined,
  later: () => undefined,
  search: () => focusOn("input[name=search]"),
  inbox: () => go("/"),
  history: () => go("/history"),
  runs: () => go("/runs"),
  report: () => go("/report"),
  settings: () => go("/settings"),
  help: openHelp,
  back,
};

export function listenToKeys(): void {
  let pending = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || helpOpen.peek()) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const {
      action,
      number,
      pending: begun,
    } = meaningOf(
      {
        key: event.key,
        modified: event.ctrlKey || event.metaKey || event.altKey,
        repeated: event.repeat,
        typing: target.closest(TYPED) !== null,
        onControl: target.closest(PRESSED) !== null,
      },
      pending,
    );
    pending = begun;
    clearTimeout(timer);
    timer = setTimeout(() => {
      pending = "";
    }, SEQUENCE_MS);
    if (action === undefined) return;
    if (action !== "back") event.preventDefault();
    (ownAction(action) ?? ACTIONS[action])(number ?? 0);
  });
}

function openForm(kind: "reject" | "words"): void {
  if (decidable() === undefined) return;
  setMode(kind === "reject" ? { kind } : { kind, asksNo: false });
}

function openCurrent(): void {
  if (mode.peek().kind !== "idle") return;
  const id = reading.peek()?.id;
  const here = route.peek();
  if (id === undefined || !isWide.peek()) return;
  if (here.screen !== "inbox" && here.screen !== "history") return;
  askFocus();
  go(addressOf(here.screen, { id, search: here.search }));
  focusOn("#question");
}

function focusOn(selector: string): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.checkVisibility());
  found?.focus();
  found?.scrollIntoView({ block: "nearest" });
}

/** One thing at a time: out of a field, out of a step, back to the list. */
function back(): void {
  const active = document.activeElement;
  const here = route.peek();
  if (mode.peek().kind !== "idle") {
    setMode({ kind: "idle" });
    focusOn("#question");
  } else if (active instanceof HTMLElement && active.matches(TYPED)) active.blur();
  else if ((here.screen === "inbox" || here.screen === "history") && here.id !== undefined) {
    const { id } = here;
    go(addressOf(here.screen, { search: here.search }));
    // The next key may have opened a field before the list is there.
    requestAnimationFrame(() => {
      if (mode.peek().kind === "idle") focusOn(`.row[data-id="${CSS.escape(id)}"]`);
    });
  }
}
