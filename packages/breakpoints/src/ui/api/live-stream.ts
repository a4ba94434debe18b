/** Reads the stream of events from the server, and begins again where it broke off. */
import type { LiveEvents } from "../../wire/inbox-wire.js";
import { LiveText, retryAfter } from "../model/live-text.js";
import { connection, serverSeen } from "./connection.js";
import { problemOf, send } from "./request.js";

export type LiveEvent = { [Name in keyof LiveEvents]: { event: Name; data: LiveEvents[Name] } }[keyof LiveEvents];

export interface StreamEnds {
  /** The last event that is known here. */
  lastId: () => string | undefined;
  onEvent: (event: LiveEvent, id: string | undefined) => void;
}

/** Until it is aborted, or the session has ended. */
export async function readLive({ lastId, onEvent }: StreamEnds, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const last = lastId();
      const headers = { accept: "text/event-stream", ...(last === undefined ? {} : { "last-event-id": last }) };
      const response = await send("/api/live", { headers, signal });
      await readMessages(response, (event, id) => {
        failures = 0;
        onEvent(event, id);
      });
    } catch (error) {
      const { status } = problemOf(error);
      if (signal.aborted || status === 401) return;
      if (status > 0) connection.value = "stale";
    }
    // A stream that ends is a server that went away, unless it is back at once.
    if (failures > 0 && !signal.aborted && connection.peek() !== "stale") serverSeen(false);
    await pause(retryAfter(failures, Math.random()), signal);
  }
}

async function readMessages(response: Response, onEvent: StreamEnds["onEvent"]): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const text = new LiveText();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return;
    for (const { event, data, id } of text.push(piece.value))
      onEvent({ event, data: JSON.parse(data) } as LiveEvent, id);
  }
}

/** Ends early when the browser says that the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
