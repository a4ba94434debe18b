/**
 * Sees whether a promise is used at all: await, then, race and all derive a promise from it, and the async hook of
 * foreign-work.ts is told of which one. A subclass of Promise would see it too, but would change the order in which
 * the code of a process continues.
 */

/** Promises that are being made, by the one who wants to know their ids. */
let made: Map<object, number> | undefined;
/** Async ids of watched promises that nothing was derived from so far. */
const unused = new Set<number>();

/** For the async hook: a promise begins; `trigger` is the one that it was derived from, if any. */
export function notePromise(asyncId: number, trigger: number, promise: object): void {
  made?.set(promise, asyncId);
  if (unused.size > 0) unused.delete(trigger);
}

/** What is known about the use of a promise. */
export interface Use {
  isUsed(): boolean;
  /** Nobody asks any more. */
  forget(): unknown;
}

/** Watches a promise from the moment when `make` has returned it; what is derived from it before does not count. */
export function watchUse<T>(make: () => Promise<T>): { promise: Promise<T>; use: Use } {
  const outer = made;
  const here = new Map<object, number>();
  made = here;
  let promise: Promise<T>;
  try {
    promise = make();
  } finally {
    made = outer;
  }
  const id = here.get(promise) ?? -1;
  if (id !== -1) unused.add(id);
  return { promise, use: { isUsed: () => !unused.has(id), forget: () => unused.delete(id) } };
}
