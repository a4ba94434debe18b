/** What a program does when it is told to end must itself come to an end. */

/** Everything that is stopped first has two seconds for that; far more than all of it together takes. */
const GRACE_MS = 30_000;

/** Ends this program by the signal, should it still be there after the grace. */
export function endInTime(signal: NodeJS.Signals, graceMs = GRACE_MS): void {
  setTimeout(() => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }, graceMs).unref();
}

/** SIGINT and SIGTERM abort the work of a program that nobody waits for; whoever started it may hang up. */
export function abortOnSignals(stop: AbortController, graceMs = GRACE_MS): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (!stop.signal.aborted) endInTime(signal, graceMs);
      stop.abort();
    });
  }
  process.on("SIGHUP", () => undefined);
}
