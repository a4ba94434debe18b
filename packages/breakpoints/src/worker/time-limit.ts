/** Work that ends in time, also when it does not listen. */
import { setTimeout as delay } from "node:timers/promises";
import { DeliveryProblem } from "../channels/channel.js";

/** So long somebody who was told to end may take. */
const GRACE_MS = 1_000;

/** `work` is told to end by its signal; what it does after that, nobody waits for. */
export async function within<T>(ms: number, stop: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const done = new AbortController();
  const limit = AbortSignal.any([stop, AbortSignal.timeout(ms)]);
  try {
    return await Promise.race([work(limit), over(ms, { limit, stop, done: done.signal })]);
  } finally {
    done.abort();
  }
}

interface Ends {
  limit: AbortSignal;
  stop: AbortSignal;
  /** Nobody is interested any more. */
  done: AbortSignal;
}

async function over(ms: number, { limit, stop, done }: Ends): Promise<never> {
  await new Promise<void>((resolve) => {
    if (limit.aborted) resolve();
    for (const signal of [limit, done]) signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await delay(GRACE_MS, undefined, { signal: done }).catch(() => undefined);
  throw new DeliveryProblem(
    "in-doubt",
    stop.aborted ? "it was being sent when it was to end" : `no answer within ${Math.round(ms / 1_000)} seconds`,
  );
}
