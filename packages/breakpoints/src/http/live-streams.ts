/** The streams of changes that browsers listen to. */
import type { InboxAccess } from "@a5c-ai/babysitter-sdk/operate";
import type { Feed, FeedEvent } from "../live/feed.js";
import type { LiveEvents } from "../wire/inbox-wire.js";

/** A browser has one for all of its tabs, and a few that it has not yet given up. */
const MAX_OF_DEVICE = 8;
const MAX_STREAMS = 64;
/** A browser that lets so much wait does not listen any more. */
const MAX_WAITING_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;
/** How long somebody who was signed out elsewhere still hears something. */
const CHECK_MS = 1_000;

interface LiveStream {
  device: string;
  token: string;
  send: (text: string) => void;
  end: () => void;
}

export class LiveStreams {
  readonly #feed: Feed;
  readonly #access: InboxAccess;
  readonly #hello: () => Omit<LiveEvents["hello"], "resumed">;
  readonly #streams = new Set<LiveStream>();
  readonly #timers: NodeJS.Timeout[];
  readonly #stopListening: () => void;

  constructor(feed: Feed, access: InboxAccess, hello: () => Omit<LiveEvents["hello"], "resumed">) {
    this.#feed = feed;
    this.#access = access;
    this.#hello = hello;
    this.#stopListening = feed.listen((event) => this.#sendAll(eventText(event)));
    this.#timers = [
      setInterval(() => this.#sendAll(": still here\n\n"), KEEP_ALIVE_MS),
      setInterval(() => this.check(), CHECK_MS),
    ];
  }

  get count(): number {
    return this.#streams.size;
  }

  /** Undefined when there are too many. A browser's own oldest one makes room for its new one. */
  open(signed: { device: string; token: string }, lastId: string | undefined): ReadableStream<Uint8Array> | undefined {
    const own = [...this.#streams].filter(({ device }) => device === signed.device);
    if (own.length >= MAX_OF_DEVICE) own[0]?.end();
    else if (this.#streams.size >= MAX_STREAMS) return undefined;
    const missed = this.#feed.after(lastId);
    const hello = JSON.stringify({ ...this.#hello(), resumed: missed !== undefined });
    const id = missed?.length ? (lastId ?? "") : this.#feed.position;
    const first = eventText({ id, name: "hello", data: hello });
    return this.#streamOf(signed, [first, ...(missed ?? []).map(eventText)]);
  }

  /** Ends the streams of browsers that are no longer signed in. */
  check(): void {
    for (const stream of this.#streams) if (!this.#isSignedIn(stream)) stream.end();
  }

  close(): void {
    this.#stopListening();
    for (const timer of this.#timers) clearInterval(timer);
    for (const stream of this.#streams) stream.end();
  }

  /** A log that cannot be read for a moment signs nobody out. */
  #isSignedIn({ token }: LiveStream): boolean {
    try {
      return this.#access.deviceOf(token) !== undefined;
    } catch {
      return true;
    }
  }

  #sendAll(text: string): void {
    if (this.#streams.size > 0) this.check();
    for (const { send } of this.#streams) send(text);
  }

  #streamOf(signed: { device: string; token: string }, first: string[]): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let stream: LiveStream | undefined;
    const forget = (): void => void (stream && this.#streams.delete(stream));
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const send = (text: string): void => {
            if ((controller.desiredSize ?? 0) > 0) {
              controller.enqueue(encoder.encode(text));
              return;
            }
            forget();
            controller.error(new Error("Nobody reads this stream."));
          };
          // What waits for somebody who is no longer signed in is not sent any more.
          const end = (): void => {
            forget();
            if ((controller.desiredSize ?? 0) < MAX_WAITING_BYTES) controller.error(new Error("Signed out."));
            else controller.close();
          };
          stream = { ...signed, send, end };
          this.#streams.add(stream);
          for (const text of first) controller.enqueue(encoder.encode(text));
        },
        cancel: forget,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
    );
  }
}

function eventText({ id, name, data }: Omit<FeedEvent, "name"> & { name: keyof LiveEvents }): string {
  return `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
}
