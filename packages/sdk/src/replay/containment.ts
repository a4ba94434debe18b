/**
 * A rejected promise that a process looks at only later, or leaves behind, is no reason to end the program
 * around it. Unhandled rejections from inside processes are set aside; all others are as before.
 */
import { recordError } from "../model/errors.js";
import { type ProcessWorld, scopes } from "./scope.js";

let installed = false;

/** Starts containing, once per program: a process may leave promises behind that reject long after it. */
export function containRejections(): void {
  if (installed) return;
  installed = true;
  const owners = new WeakMap<Promise<unknown>, ProcessWorld>();
  process.on("rejectionHandled", (promise) => owners.get(promise)?.rejections.lookAt(promise));
  process.on("unhandledRejection", (reason, promise) => {
    const world = scopes.getStore()?.world;
    if (world !== undefined) {
      owners.set(promise, world);
      world.rejections.overlook(promise, reason);
      return;
    }
    // Without us Node would have thrown it.
    if (process.listenerCount("unhandledRejection") === 1) throw reason;
  });
}

/** The rejections of one process that nobody has looked at, so far. */
export class OverlookedRejections {
  readonly #messages = new Map<object, string>();

  overlook(promise: Promise<unknown>, reason: unknown): void {
    this.#messages.set(promise, recordError(reason).message);
  }

  /** The process has checked it after all. */
  lookAt(promise: object): void {
    this.#messages.delete(promise);
  }

  /** What to tell about them, once. */
  take(): string[] {
    const messages = [...this.#messages.values()];
    this.#messages.clear();
    return messages.map((message) => `Unhandled promise rejection in the process: ${message}`);
  }
}
