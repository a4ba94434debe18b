import { BabysitterError, recordError } from "../model/errors.js";
import { defined } from "../model/json.js";
import type { InterpreterOptions } from "./interpreter-options.js";
import { mistakeError } from "./mistake-error.js";
import { type Use, watchUse } from "./promise-uses.js";

/** A call of the process whose promise it may forget. */
export interface WatchedCall {
  /** As in the code: `ctx.task("build")`. */
  name: string;
  location: string | undefined;
  /** Left behind it does no harm: a sleep, or a call whose effects are listed themselves. */
  isHarmless: boolean;
}

/** A call that has failed; `refused` before it was recorded. */
interface Failure {
  failed: unknown;
  refused?: boolean;
}

/** Told how a call ended: undefined when all is well. */
export type Ended = (failure?: Failure) => void;

interface Watched extends WatchedCall {
  use: Use;
  failure?: Failure;
}

/** More than these are counted. */
const MAX_NAMED = 5;

/** What a process may leave behind when it returns: calls that nobody awaits, and work that it has detached. */
export class LooseEnds {
  readonly #calls = new Set<Watched>();
  readonly #detached = new Set<Promise<void>>();
  readonly #failures: string[] = [];
  readonly #isWatching: boolean;
  readonly #onRefused: InterpreterOptions["onRefused"];

  /** Runs of version 1 of the replay rules may forget what they like. */
  constructor({ semantics, onRefused }: Pick<InterpreterOptions, "semantics" | "onRefused">) {
    this.#isWatching = semantics >= 2;
    this.#onRefused = onRefused;
  }

  /** `make` returns the promise of a call, and has `ended` called when the call ends. */
  watch<T>(call: WatchedCall, make: (ended: Ended) => Promise<T>): Promise<T> {
    if (!this.#isWatching) return make(() => undefined);
    const watched: Watched = { ...call, use: { isUsed: () => false, forget: () => false } };
    this.#calls.add(watched);
    const { promise, use } = watchUse(() =>
      make((failure) => {
        if (failure?.refused === true && BabysitterError.is(failure.failed)) this.#onRefused?.(failure.failed);
        // A result that nobody looks at does no harm; a failure does.
        if (failure === undefined || watched.use.isUsed()) this.#forget(watched);
        else watched.failure = failure;
      }),
    );
    watched.use = use;
    return promise;
  }

  /** The run waits for this before it completes. */
  detach(work: PromiseLike<unknown>, location: string | undefined): void {
    const promise = Promise.resolve(work).then(
      () => undefined,
      (error: unknown) => {
        const place = location === undefined ? "" : ` (${location})`;
        this.#failures.push(`Detached work${place} failed: ${recordError(error).message}`);
      },
    );
    this.#detached.add(promise);
    void promise.then(() => this.#detached.delete(promise));
  }

  get hasDetached(): boolean {
    return this.#detached.size > 0;
  }

  async detachedEnded(): Promise<void> {
    while (this.hasDetached) await Promise.all(this.#detached);
  }

  /** Why a process that has returned cannot have meant that. */
  mistake(): BabysitterError | undefined {
    const forgotten = [...this.#calls].filter(({ use }) => !use.isUsed());
    const refused = forgotten.find(({ failure }) => failure?.refused === true)?.failure?.failed;
    if (BabysitterError.is(refused)) return refused;
    const open = forgotten.filter(({ failure }) => failure === undefined);
    const [first] = open;
    if (first === undefined) return undefined;
    return mistakeError(
      "EFFECT_NOT_AWAITED",
      `The process returned, but never awaited ${listed(open)}. What it asked for there has not ended.`,
      {
        location: first.location,
        hint: "Write `await` before the call. If the run should wait for it without using its result, pass it to ctx.detach(…).",
        details: { calls: open.map(({ name, location }) => ({ call: name, ...defined({ location }) })) },
      },
    );
  }

  /** What is told about a process that has ended; who has thrown has not forgotten the rest. */
  warnings(hasThrown: boolean): string[] {
    if (hasThrown) return this.#failures;
    const calls = [...this.#calls];
    const open = calls.filter(({ failure, isHarmless }) => failure === undefined && !isHarmless);
    const failed = calls.filter(({ failure, use }) => failure !== undefined && !use.isUsed());
    return [
      ...this.#failures,
      ...failed.map(
        (call) =>
          `${listed([call])} failed, and the process never looked at it: ${recordError(call.failure?.failed).message}`,
      ),
      ...(open.length === 0
        ? []
        : [`The run ended while the process had left ${listed(open)} behind; nobody waits for the result any more.`]),
    ];
  }

  /** The process is given up. */
  clear(): void {
    for (const call of this.#calls) this.#forget(call);
  }

  #forget(call: Watched): void {
    call.use.forget();
    this.#calls.delete(call);
  }
}

function listed(calls: readonly WatchedCall[]): string {
  const named = calls
    .slice(0, MAX_NAMED)
    .map(({ name, location }) => (location === undefined ? name : `${name} (${location})`));
  const more = calls.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more calls`] : [])].join(", ");
}

/** The promise of a call that is refused before it is recorded. */
export function refusal(ended: Ended, error: BabysitterError): Promise<never> {
  const promise = Promise.reject(error);
  // Who forgets to await it is told so in another way.
  promise.catch(() => undefined);
  ended({ failed: error, refused: true });
  return promise;
}
