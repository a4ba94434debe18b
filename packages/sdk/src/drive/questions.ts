/** Questions to humans while a run is driven: by a policy that the user has set, or on the terminal. */

import { BabysitterError } from "../model/errors.js";
import type { EffectRequested } from "../model/events.js";
import type { EffectId } from "../model/ids.js";
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";
import { type PendingEffect, pendingOf } from "../model/run-state.js";
import { postResult } from "../runs/post-result.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { Asker, Question } from "./progress.js";

/** Answers without a human; each use is recorded with its name. */
export interface BreakpointPolicy {
  approve: boolean;
  name: string;
}

export interface QuestionsOptions {
  journal: RunJournal;
  asker: Asker | undefined;
  policy: BreakpointPolicy | undefined;
  /** Who sits at the terminal. */
  user: string;
  onSettled: (problem: unknown) => void;
}

export class Questions {
  readonly #options: QuestionsOptions;
  /** Questions that were put and left open; they are not put twice. */
  readonly #leftOpen = new Set<EffectId>();
  #asking: { effectId: EffectId; abort: AbortController } | undefined;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  get asking(): boolean {
    return this.#asking !== undefined;
  }

  /** Puts the first question that can be put here, unless one is being asked. */
  put(open: readonly PendingEffect[]): void {
    if (this.#asking !== undefined) return;
    const next = open.find(({ effectId }) => !this.#leftOpen.has(effectId));
    if (next === undefined || (this.#options.asker ?? this.#options.policy) === undefined) return;
    const { effectId } = next;
    const abort = new AbortController();
    this.#asking = { effectId, abort };
    void this.#see(next, abort.signal);
  }

  async #see(pending: PendingEffect, signal: AbortSignal): Promise<void> {
    let problem: unknown;
    try {
      await this.#answer(pending, signal);
    } catch (error) {
      problem = error;
    }
    this.#asking = undefined;
    this.#options.onSettled(problem);
  }

  /** Takes a question back that was answered elsewhere. */
  dropSettled(): void {
    const { journal } = this.#options;
    if (this.#asking !== undefined && pendingOf(journal.summary, this.#asking.effectId) === undefined) this.withdraw();
  }

  withdraw(): void {
    this.#asking?.abort.abort();
  }

  async #answer(pending: PendingEffect, signal: AbortSignal): Promise<void> {
    const { journal, policy, asker, user } = this.#options;
    const payload = await breakpointPayload(journal, pending);
    // A policy is set before the question is known; what is marked as risky needs somebody who reads it.
    const byPolicy = policy !== undefined && payload["risk"] !== "high" ? policy : undefined;
    const answer = byPolicy === undefined ? await asker?.(questionOf(pending, payload), signal) : undefined;
    if (byPolicy === undefined && answer === undefined) {
      this.#leftOpen.add(pending.effectId);
      return;
    }
    const value: JsonObject =
      byPolicy === undefined
        ? { ...answer, respondedBy: user, via: "terminal" }
        : { approved: byPolicy.approve, respondedBy: `policy:${byPolicy.name}`, via: "policy" };
    await this.#record(pending, { ...value, decidedAt: journal.ports.clock.now().toISOString() });
  }

  async #record({ effectId, attempt }: PendingEffect, value: Json): Promise<void> {
    try {
      await postResult(this.#options.journal, { effectId, attempt, result: { status: "ok", value } });
    } catch (error) {
      // Somebody else was faster: their answer stays.
      if (!BabysitterError.is(error) || error.code === "JOURNAL_UNWRITABLE") throw error;
    }
  }
}

/** What the process gave to ctx.breakpoint. */
export async function breakpointPayload(journal: RunJournal, pending: PendingEffect): Promise<JsonObject> {
  const event = await journal.ports.store.readAt(journal.runId, pending.request);
  const definition = await journal.valueOf((event.payload as EffectRequested).definition);
  const breakpoint = isJsonObject(definition) ? definition["breakpoint"] : undefined;
  const payload = isJsonObject(breakpoint) ? breakpoint["payload"] : undefined;
  return isJsonObject(payload) ? payload : {};
}

/** The question as a person is asked it. */
export function questionOf({ effectId, title }: PendingEffect, payload: JsonObject): Question {
  const { question, options, context } = payload;
  return {
    effectId,
    title: typeof payload["title"] === "string" ? payload["title"] : undefined,
    question: typeof question === "string" ? question : (title ?? "Approve?"),
    options: Array.isArray(options) ? options.map(labelOf).filter((label) => label !== undefined) : [],
    context: context ?? null,
  };
}

function labelOf(option: Json): string | undefined {
  if (typeof option === "string") return option;
  if (!isJsonObject(option)) return undefined;
  const label = option["label"] ?? option["value"] ?? option["id"];
  return typeof label === "string" ? label : undefined;
}
