/** What has changed, for whoever listens: the last changes are kept, so that one who was away for a moment can follow. */
import type { LiveEvents } from "../wire/inbox-wire.js";

export type QuestionsEvent = LiveEvents["questions"];

export interface FeedEvent {
  id: string;
  name: "questions" | "notices" | "runs";
  /** As it is sent. */
  data: string;
}

const MAX_KEPT = 1_000;
const MAX_KEPT_LENGTH = 8 * 1024 * 1024;
/** More rows are sent as several events. */
const MAX_ROWS = 100;

export class Feed {
  /** Another one for each start: numbers begin anew. */
  readonly #epoch: string;
  readonly #listeners = new Set<(event: FeedEvent) => void>();
  #kept: (FeedEvent & { n: number })[] = [];
  #keptLength = 0;
  #last = 0;

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  /** The id of the latest event. */
  get position(): string {
    return `${this.#epoch}.${this.#last}`;
  }

  publish({ changed, gone, open }: QuestionsEvent): void {
    for (let at = 0; at < Math.max(changed.length, gone.length); at += MAX_ROWS)
      this.#send("questions", { changed: changed.slice(at, at + MAX_ROWS), gone: gone.slice(at, at + MAX_ROWS), open });
  }

  tellRuns({ changed, gone }: LiveEvents["runs"]): void {
    for (let at = 0; at < Math.max(changed.length, gone.length); at += MAX_ROWS)
      this.#send("runs", { changed: changed.slice(at, at + MAX_ROWS), gone: gone.slice(at, at + MAX_ROWS) });
  }

  tellNotices(event: LiveEvents["notices"]): void {
    this.#send("notices", event);
  }

  /** What came after an event; undefined when that is no longer known. */
  after(id: string | undefined): FeedEvent[] | undefined {
    const [, epoch, digits] = /^(\w+)\.(\d{1,15})$/u.exec(id ?? "") ?? [];
    const n = Number(digits);
    const oldest = this.#kept[0]?.n ?? this.#last + 1;
    if (epoch !== this.#epoch || !(n >= oldest - 1 && n <= this.#last)) return undefined;
    return this.#kept.filter((event) => event.n > n);
  }

  /** Answers how to stop. */
  listen(listener: (event: FeedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #send<Name extends FeedEvent["name"]>(name: Name, event: LiveEvents[Name]): void {
    this.#last += 1;
    const sent = { n: this.#last, id: this.position, name, data: JSON.stringify(event) };
    this.#kept.push(sent);
    this.#keptLength += sent.data.length;
    while (this.#kept.length > MAX_KEPT || this.#keptLength > MAX_KEPT_LENGTH)
      this.#keptLength -= this.#kept.shift()?.data.length ?? 0;
    for (const listener of this.#listeners) listener(sent);
  }
}
