/**
 * Hooks that a program which stays calls for what it has recorded. Whoever asked it to record something does not wait
 * for them; should it be killed, the next command makes the calls that it owed.
 */

const running = new Set<Promise<void>>();

/** The signals that end such a program are its own business. */
export const NEVER: AbortSignal = new AbortController().signal;

export function callInBackground(calls: Promise<void>): void {
  void track(settled(calls));
}

/** Every hook that is owed so far has been called. */
export async function hooksCalled(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
}

async function track(done: Promise<void>): Promise<void> {
  running.add(done);
  await done;
  running.delete(done);
}

async function settled(calls: Promise<void>): Promise<void> {
  try {
    await calls;
  } catch (error) {
    // What is recorded stays recorded, whatever becomes of the hooks.
    process.emitWarning(error as Error);
  }
}
