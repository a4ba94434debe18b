/**
 * A rejected promise that a process looks at only later, or leaves behind, is no reason to end the program
 * around it. Unhandled rejections from inside processes are set aside; all others are as before.
 */
import { type ProcessWorld, scopes } from "./scope.js";

let installed = false;

/** Starts containing, once per program: a process may leave promises behind that reject long after it. */
export function containRejections(): void {
  if (installed) return;
  installed = true;
  const owners = new WeakMap<Promise<unknown>, ProcessWorld>();
  process.on("rejectionHandled", (promise) => owners.get(promise)?.lookedAt(promise));
  process.on("unhandledRejection", (reason, promise) => {
    const world = scopes.getStore()?.world;
    if (world !== undefined) {
      owners.set(promise, world);
      world.overlooked(promise, reason);
      return;
    }
    // Without us Node would have thrown it.
    if (process.listenerCount("unhandledRejection") === 1) throw reason;
  });
}
