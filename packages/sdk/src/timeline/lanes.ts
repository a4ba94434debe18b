/** Puts spans side by side: each goes to the first lane that is free when it begins. */
export function lanesOf(spans: readonly { from: number; to?: number }[], end: number): number[] {
  const lanes = new FreeTimes();
  return spans.map(({ from, to = end }) => {
    const lane = lanes.firstFree(from) ?? lanes.count;
    // What began and ended at the same time still takes its place.
    lanes.take(lane, Math.max(to, from + 1));
    return lane;
  });
}

/** From when on lanes are free, as a tree of the earliest times: thousands of lanes are not searched one by one. */
class FreeTimes {
  count = 0;
  /** How many lanes the tree has room for. */
  #room = 1;
  /** Below node n are 2n and 2n + 1; the lanes themselves are the last ones. */
  #earliest: number[] = [Infinity, Infinity];

  firstFree(at: number): number | undefined {
    if (!(this.#of(1) <= at)) return undefined;
    let node = 1;
    while (node < this.#room) node = 2 * node + (this.#of(2 * node) <= at ? 0 : 1);
    return node - this.#room;
  }

  take(lane: number, until: number): void {
    if (lane >= this.#room) this.#grow();
    this.count = Math.max(this.count, lane + 1);
    // Nobody knows when a lane is free whose time cannot be read.
    this.#earliest[this.#room + lane] = Number.isNaN(until) ? Infinity : until;
    for (let node = (this.#room + lane) >> 1; node >= 1; node >>= 1) this.#update(node);
  }

  #grow(): void {
    const lanes = this.#earliest.slice(this.#room);
    this.#room *= 2;
    const place = (node: number): number => lanes[node - this.#room] ?? Infinity;
    this.#earliest = Array.from({ length: 2 * this.#room }, (_, node) => place(node));
    for (let node = this.#room - 1; node >= 1; node -= 1) this.#update(node);
  }

  #update(node: number): void {
    this.#earliest[node] = Math.min(this.#of(2 * node), this.#of(2 * node + 1));
  }

  #of(node: number): number {
    return this.#earliest[node] as number;
  }
}
