/** How programs that run until somebody ends them come to their end. */

/** So long they wait for the hooks of the last decisions; what is owed then, the next command calls. */
export const HOOKS_MS = 5_000;

/** Until somebody wants this program to end. */
export function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
