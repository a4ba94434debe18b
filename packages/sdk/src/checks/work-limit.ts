/** Limits what a verification does besides the commands of its criteria, which have limits of their own. */

/** The files are too many, too large, or on a disk that does not answer. */
export class TookTooLong extends Error {}

let getsOn: () => void = () => undefined;

/** Tells whoever watches this program that work gets on although it does not let go of the thread. */
export function tellOfProgress(listener: () => void): void {
  getsOn = listener;
}

/** Times as of `performance.now()`. Work that never lets go of the thread has to ask by itself. */
export function refuseAfter(deadline: number): void {
  getsOn();
  if (performance.now() > deadline) throw new TookTooLong("Reading the project's files took too long.");
}

/** The work is told when it has to be done; rejects with {@link TookTooLong} then, whether or not it listens. */
export async function withinLimit<T>(limitMs: number, work: (deadline: number) => Promise<T>): Promise<T> {
  const deadline = performance.now() + limitMs;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TookTooLong("Reading the project's files took too long.")), limitMs);
  });
  try {
    const result = await Promise.race([work(deadline), late]);
    refuseAfter(deadline);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
