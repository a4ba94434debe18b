/** Where on the page of a run somebody is, and how they get elsewhere. */
import type { RunPart } from "../model/routes.js";
import type { RunData } from "./run-data.js";

interface RunPlace {
  part?: RunPart;
  /** After which event the run is shown; undefined for as it is now. */
  at?: number | undefined;
  /** The event that is chosen. */
  event?: number | undefined;
}

export type Address = (place: RunPlace) => string;

/** `replace`: without a place of its own to go back to. */
export type Go = (place: RunPlace, how?: { replace: boolean }) => void;

/** How long somebody has to rest at a place before the address says it. */
const SETTLE_MS = 250;

/** Moves through a run. The page follows at once; the address when the mover rests, for browsers allow few changes of it. */
export class RunMoves {
  readonly #data: RunData;
  #go: Go;
  /** Set by whoever shows a list. */
  neighbour: ((seq: number | undefined, by: 1 | -1) => number | undefined) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(data: RunData, onGo: Go) {
    this.#data = data;
    this.#go = onGo;
  }

  /** Whoever shows the page may answer differently with every drawing. */
  set onGo(onGo: Go) {
    this.#go = onGo;
  }

  /** Shows the run after an event; after the last one is now. */
  travel(seq: number | undefined): void {
    const { at, total } = this.#data;
    const most = total.peek();
    at.value = seq === undefined || seq >= most ? undefined : Math.max(1, Math.round(seq));
    this.#settle();
  }

  travelBy(by: number): true {
    this.travel((this.#data.at.peek() ?? this.#data.total.peek()) + by);
    return true;
  }

  select(seq: number | undefined): void {
    this.#data.selected.value = seq;
    this.#settle();
  }

  /** What comes after the chosen event in the list that is shown, or before it. */
  selectBy(by: 1 | -1): true {
    const next = this.neighbour?.(this.#data.selected.peek(), by);
    if (next !== undefined) this.select(next);
    return true;
  }

  show(part: RunPart, seq?: number): void {
    clearTimeout(this.#timer);
    if (seq !== undefined) this.#data.selected.value = seq;
    this.#go({ part, at: this.#data.at.peek(), event: this.#data.selected.peek() });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#go({ at: this.#data.at.peek(), event: this.#data.selected.peek() }, { replace: true });
    }, SETTLE_MS);
  }
}
