/**
 * One stream for all tabs: browsers allow six connections to a server, and every tab would take one. The visible tab that
 * holds the lock reads the stream and tells the others; when no tab is visible, nobody does, and who comes back catches up.
 */

import { type LiveEvent, readLive } from "./live-stream.js";
import { token } from "./session.js";

const LOCK = "babysitter.live";
const CHANNEL = "babysitter.live";
const UNSEEN_POLL_MS = 60_000;

type Talk =
  | { kind: "event"; event: LiveEvent; id: string | undefined }
  /** A tab has come back, and wants to know whether it has missed anything. */
  | { kind: "where" }
  | { kind: "here"; id: string | undefined };

export interface TabEnds {
  onEvent: (event: LiveEvent) => void;
  /** Something may have been missed: ask for everything again. */
  onGap: () => void;
  /** Nobody looks: a count is enough. */
  onUnseen: () => void;
}

export function joinTabs({ onEvent, onGap, onUnseen }: TabEnds): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  const tell = (talk: Talk): void => channel.postMessage(talk);
  let lastId: string | undefined;
  /** Set while this tab wants the stream; it has it once it holds the lock. */
  let leading: AbortController | undefined;
  let holdsLock = false;

  channel.addEventListener("message", ({ data }: MessageEvent<Talk>) => {
    if (data.kind === "where" && holdsLock) tell({ kind: "here", id: lastId });
    if (data.kind === "here" && data.id !== lastId) {
      lastId = data.id;
      onGap();
    }
    if (data.kind !== "event") return;
    lastId = data.id ?? lastId;
    onEvent(data.event);
  });

  const lead = async (signal: AbortSignal): Promise<void> => {
    const ends = {
      lastId: () => lastId,
      onEvent: (event: LiveEvent, id: string | undefined) => {
        lastId = id ?? lastId;
        onEvent(event);
        tell({ kind: "event", event, id });
      },
    };
    const read = async (): Promise<void> => {
      holdsLock = true;
      await readLive(ends, signal);
      holdsLock = false;
    };
    // Refused only when it is given up before the lock was free.
    await navigator.locks.request(LOCK, { signal }, read).catch(() => undefined);
  };

  const follow = (): void => {
    const wanted = document.visibilityState === "visible" && token.value !== null;
    if (!wanted) {
      leading?.abort();
      leading = undefined;
    }
    if (!wanted || leading !== undefined) return;
    leading = new AbortController();
    tell({ kind: "where" });
    void lead(leading.signal);
  };

  document.addEventListener("visibilitychange", follow);
  addEventListener("pageshow", follow);
  addEventListener("pagehide", () => {
    leading?.abort();
    leading = undefined;
  });
  token.subscribe(() => {
    leading?.abort();
    leading = undefined;
    follow();
  });
  setInterval(() => {
    if (document.visibilityState === "hidden" && token.value !== null) onUnseen();
  }, UNSEEN_POLL_MS);
}
