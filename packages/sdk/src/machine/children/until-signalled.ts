/** Commands that are told to end while programs of theirs are running. */
import { isatty } from "node:tty";
import { endInTime } from "../end-in-time.js";

/**
 * Scripts run in groups of their own, where Ctrl-C does not reach them: they are ended first, then this command
 * ends by the same signal.
 */
export async function untilSignalled<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  let by: NodeJS.Signals | undefined;
  const listener = (signal: NodeJS.Signals): void => {
    if (by === undefined) endInTime(signal);
    by ??= signal;
    stop.abort();
  };
  // Node forgets what `nohup` has set once it has listened to SIGHUP.
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
  const signals: NodeJS.Signals[] = hasTerminal ? ["SIGINT", "SIGTERM", "SIGHUP"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) process.on(signal, listener);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of signals) process.off(signal, listener);
    if (by !== undefined) process.kill(process.pid, by);
  }
}
