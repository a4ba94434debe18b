/** Going from question to question. */
import { history, inbox, readingId } from "../api/inbox-state.js";
import { neighbour, nextToDecide } from "../model/question-list.js";
import { addressOf } from "../model/routes.js";
import { go, route } from "../parts/address.js";
import { isWide } from "../parts/page-width.js";

/** What the keyboard has brought to the screen gets the focus there. */
let wantsFocus = false;

export function askFocus(): void {
  wantsFocus = true;
}

/** To the question that a row stands for, at once when it is there already. */
export function focusQuestion(byKey: boolean): void {
  if (!byKey) return;
  askFocus();
  requestAnimationFrame(() => {
    const heading = document.querySelector<HTMLElement>("#question");
    if (heading === null || !wantsFocus) return;
    wantsFocus = false;
    // The next key may have opened a field in the meantime.
    if (!document.activeElement?.closest("form, .field")) heading.focus();
  });
}

export function takeFocusWish(): boolean {
  const wish = wantsFocus;
  wantsFocus = false;
  return wish;
}

/** To the next open question, or to the list when there is none. */
export function goToNext(): void {
  const id = readingId.peek() ?? "";
  const next = nextToDecide(inbox.list.peek(), id);
  askFocus();
  if (next !== undefined && inbox.list.peek().waiting.some((row) => row.id === next.id)) inbox.settle();
  go(addressOf("inbox", next === undefined ? {} : { id: next.id, search: inbox.search }));
}

/** Up or down in the list. With room for both the question follows; else the focus goes from row to row. */
export function step(by: 1 | -1): void {
  const here = route.peek();
  if (here.screen !== "inbox" && here.screen !== "history") return;
  const state = here.screen === "inbox" ? inbox : history;
  const focused = document.activeElement?.closest<HTMLElement>(".row")?.dataset["id"];
  const onList = !isWide.peek() && here.id === undefined;
  const from = onList ? focused : (here.id ?? readingId.peek());
  const target = neighbour(state.list.peek(), from, by);
  if (target === undefined) return;
  const row = document.querySelector<HTMLElement>(`.row[data-id="${CSS.escape(target.id)}"]`);
  if (!onList)
    go(addressOf(here.screen, { id: target.id, search: here.search }), {
      replace: isWide.peek() || here.id !== undefined,
    });
  row?.focus();
  row?.scrollIntoView({ block: "nearest" });
}
