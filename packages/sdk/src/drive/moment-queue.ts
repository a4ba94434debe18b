/** Calls lifecycle hooks one after the other, beside the work: a slow hook must not hold up the tasks. */
import type { JournalEvent } from "../model/events.js";
import { HookMoments, type MomentCall } from "../runs/hook-moments.js";
import { type IterationHooks, isOwn } from "../runs/iterate-with-hooks.js";
import type { RunJournal } from "../runs/run-journal.js";

export interface MomentQueueOptions {
  journal: RunJournal;
  hooks: IterationHooks;
  /** A call has ended; with a problem when what it answered could not be recorded. */
  onSettled: (problem: unknown) => void;
}

export class MomentQueue {
  readonly #options: MomentQueueOptions;
  readonly #moments: HookMoments;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(options: MomentQueueOptions) {
    this.#options = options;
    this.#moments = new HookMoments(options.journal);
  }

  /** True while a hook runs or waits for its turn. */
  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** For every event of the journal, in order. Results are told by whoever has posted them. */
  observe(event: JournalEvent): void {
    if (event.type === "EFFECT_STARTED" || (isOwn(event) && event.type !== "RUN_CREATED")) this.tell(event);
  }

  /** Calls the hooks of an event that was recorded here. */
  tell(event: JournalEvent): void {
    for (const call of this.#moments.callsFor(event)) this.add(call);
  }

  add(call: MomentCall): void {
    this.#enqueue(async () => void (await this.#options.hooks.call(call)));
  }

  /** What a program that was killed has left to be told. To be called before anything is recorded in its place. */
  async catchUp(): Promise<void> {
    for (const call of await this.#options.hooks.owed()) this.add(call);
  }

  /** Records what new questions are about before anyone is asked; hooks tell people about them. */
  async openQuestions(): Promise<void> {
    for (const call of await this.#options.hooks.openQuestions()) this.add(call);
  }

  /** Resolves when all hooks that were called for have ended. */
  async idle(): Promise<void> {
    while (this.busy) await this.#last;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#waiting += 1;
    const before = this.#last;
    this.#last = (async () => {
      await before;
      let problem: unknown;
      try {
        await work();
      } catch (error) {
        problem = error;
      }
      this.#waiting -= 1;
      this.#options.onSettled(problem);
    })();
  }
}
