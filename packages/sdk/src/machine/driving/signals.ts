import { isatty } from "node:tty";
import { EXIT_CODES } from "../../model/error-codes.js";
import { endInTime } from "../end-in-time.js";

/** Ctrl-C and its relatives call `interrupt`; the third time nothing is waited for. Answers how to stop listening. */
export function listenToSignals(interrupt: () => void): () => void {
  // Asked now: a terminal that has gone is none. `nohup` leaves none, and Node forgets that it ignores SIGHUP.
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
  let count = 0;
  const listener = (signal: NodeJS.Signals): void => {
    if (signal === "SIGHUP" && !hasTerminal) return;
    count += 1;
    if (signal === "SIGTERM" && count === 1) endInTime(signal);
    if (count > 2) process.exit(EXIT_CODES.interrupted.exit);
    interrupt();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
