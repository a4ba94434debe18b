/** The one place that imports by a computed name. */

/**
 * Errors that came back to us already. When CommonJS throws below an ES module, Node 20 rejects a second
 * promise with the same error, one that nobody can see, and the unhandled rejection ends the OS process.
 */
const delivered = new Set<unknown>();
let restore: (() => void) | undefined;

/** Imports a module; its failure arrives here and nowhere else. */
export async function importUrl<T = Record<string, unknown>>(url: string): Promise<T> {
  try {
    return await import(url);
  } catch (error) {
    absorbEcho(error);
    throw error;
  }
}

/** Rejections are reported at the end of the turn that we are in, so the next one is late enough to stop. */
function absorbEcho(error: unknown): void {
  delivered.add(error);
  restore ??= filterRejections();
  setImmediate(() => {
    delivered.delete(error);
    if (delivered.size > 0) return;
    restore?.();
    restore = undefined;
  });
}

/** A listener could not keep the event from others, or would change what happens without any. */
function filterRejections(): () => void {
  const own = Object.getOwnPropertyDescriptor(process, "emit");
  const emit: typeof process.emit = Reflect.get(process, "emit");
  const filtered = (...parameters: unknown[]): boolean => {
    const isEcho = parameters[0] === "unhandledRejection" && delivered.has(parameters[1]);
    return isEcho || Boolean(Reflect.apply(emit, process, parameters));
  };
  Object.defineProperty(process, "emit", { value: filtered, configurable: true, writable: true });
  return () => {
    if (own === undefined) Reflect.deleteProperty(process, "emit");
    else Object.defineProperty(process, "emit", own);
  };
}
