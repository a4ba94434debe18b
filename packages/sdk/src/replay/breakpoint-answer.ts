/**
 * R7 A rejection nobody looks at must not continue. A rejected answer knows whether the process has read
 * it; the next request in the same scope, or the end of the process, fails the run when it has not.
 */
import type { BreakpointResult } from "../model/breakpoint-result.js";
import { BreakpointRejectedError } from "../model/errors.js";

const OPTIONAL_FIELDS = ["option", "response", "feedback", "respondedBy", "shown", "author", "comment"];

interface Unread {
  scope: string;
  question: string;
  invocationKey: string;
}

/** Rejected answers that the process has received and not checked. */
export class UnreadRejections {
  readonly #unread = new Set<Unread>();
  readonly #forgotten: string[] = [];

  /** An answer that removes itself from this list when one of its fields is read. */
  watch(result: BreakpointResult, about: { scope: string; question: string; invocationKey: string }): BreakpointResult {
    if (this.#forgotten.some((branches) => about.scope.startsWith(branches))) return result;
    const entry: Unread = { ...about };
    this.#unread.add(entry);
    const watched = {} as Record<string, unknown>;
    const fields: Record<string, unknown> = { ...result };
    // Looking for something that is not there is looking too.
    for (const name of new Set([...Object.keys(fields), ...OPTIONAL_FIELDS])) {
      const value = fields[name];
      Object.defineProperty(watched, name, {
        enumerable: name in fields,
        configurable: true,
        get: () => {
          this.#unread.delete(entry);
          return value;
        },
        set: (replacement: unknown) => {
          Object.defineProperty(watched, name, {
            value: replacement,
            enumerable: true,
            configurable: true,
            writable: true,
          });
        },
      });
    }
    return watched as unknown as BreakpointResult;
  }

  /** Branches ended: their answers have been handed to the scope above. */
  moveUp(parentPath: string, branches: string): void {
    for (const entry of this.#unread) if (entry.scope.startsWith(branches)) entry.scope = parentPath;
  }

  /** Branches lost a race: nobody waits for their answers, now or later. */
  forget(branches: string): void {
    this.#forgotten.push(branches);
    for (const entry of this.#unread) if (entry.scope.startsWith(branches)) this.#unread.delete(entry);
  }

  /** The error for going on in `scope`, or undefined when nothing was overlooked. */
  overlookedBy(scope: string): BreakpointRejectedError | undefined {
    for (const entry of this.#unread) if (scope.startsWith(entry.scope)) return rejected(entry);
    return undefined;
  }

  /** The error for ending the process. */
  overlookedByAll(): BreakpointRejectedError | undefined {
    const [entry] = this.#unread;
    return entry === undefined ? undefined : rejected(entry);
  }
}

/** The error for a rejection that the process asked to be thrown, or did not look at. */
export function rejected(about: { question: string; invocationKey: string }, reason?: string): BreakpointRejectedError {
  const why = reason === undefined ? "" : ` Reason: ${reason}`;
  return new BreakpointRejectedError(`The breakpoint "${about.question}" was rejected.${why}`, {
    question: about.question,
    invocationKey: about.invocationKey,
    ...(reason === undefined ? {} : { reason }),
  });
}
