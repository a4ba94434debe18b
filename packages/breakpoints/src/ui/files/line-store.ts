/** A text as lines, as its pages arrive. Lines are counted as the journal does: at line feeds only. */
import type { FilePage } from "../../wire/inbox-wire.js";

export interface LineStore {
  /** Grows; the lines in it stay. */
  readonly lines: string[];
  /** Where the next page begins; null when everything is there. */
  next: number | null;
  /** How much of the text is there, and how much there is. */
  loaded: number;
  bytes: number;
  /** The last line goes on in the next page. */
  isOpen: boolean;
}

export function emptyStore(): LineStore {
  return { lines: [], next: 0, loaded: 0, bytes: 0, isOpen: false };
}

export function addPage(store: LineStore, page: FilePage): void {
  if (page.text !== "") {
    const pieces = page.text.split("\n");
    if (store.isOpen) pieces[0] = `${store.lines.pop() ?? ""}${pieces[0] ?? ""}`;
    store.isOpen = pieces.at(-1) !== "";
    if (!store.isOpen) pieces.pop();
    // One by one: as arguments of one call they may be too many.
    for (const piece of pieces) store.lines.push(piece);
  }
  store.next = page.next;
  store.bytes = page.bytes;
  store.loaded = page.next ?? page.bytes;
}

/** Whether the text ends with a line feed, as far as it is there. */
export function endsWithBreak(store: LineStore): boolean {
  return store.lines.length === 0 || !store.isOpen;
}

/** Lines that end with a carriage return, as on Windows, in most of the text. */
export function hasCarriageReturns(lines: readonly string[]): boolean {
  const looked = lines.slice(0, 200);
  return looked.length > 0 && looked.filter((line) => line.endsWith("\r")).length * 2 > looked.length;
}
