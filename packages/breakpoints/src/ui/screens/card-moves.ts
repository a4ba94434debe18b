/** Going from card to card by keys. */
import type { BoardState } from "../api/runs-state.js";

/** The run whose card has the focus. */
export function focusedCard(): string | undefined {
  return document.activeElement?.closest<HTMLElement>(".card")?.dataset["id"];
}

/** To the next card, or the one before; from elsewhere to the first. */
export function stepCard(by: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".card-open")];
  const at = cards.findIndex((card) => card.closest<HTMLElement>(".card")?.dataset["id"] === focusedCard());
  const target = at < 0 ? cards[0] : cards[at + by];
  target?.focus({ preventScroll: true });
  target?.closest(".card")?.scrollIntoView({ block: "nearest" });
}

/** Brings a lane to the top. */
export function goToLane(selector: string): void {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus({ preventScroll: true });
  found?.closest("section, li")?.scrollIntoView({ block: "start" });
}

/** Everything falls into place, and the focus goes along with its card. */
export function settleKeepingFocus(state: BoardState): void {
  const id = focusedCard();
  state.settle();
  if (id === undefined) return;
  requestAnimationFrame(() => {
    const card = document.querySelector<HTMLElement>(`.card[data-id="${CSS.escape(id)}"] .card-open`);
    card?.focus({ preventScroll: true });
    card?.closest(".card")?.scrollIntoView({ block: "nearest" });
  });
}
