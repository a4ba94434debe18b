/** Questions to humans while a run is driven: by a policy that the user has set, or on the terminal. */

import type { BreakpointQuestion } from "../model/breakpoint-question.js";
import { BabysitterError } from "../model/errors.js";
import type { JournalEvent } from "../model/events.js";
import type { EffectId } from "../model/ids.js";
import { defined, type Json } from "../model/json.js";
import { type PendingEffect, pendingOf } from "../model/run-state.js";
import { type AnswersPolicy, type DecisionSource, needsName } from "../model/who-may-decide.js";
import { readQuestion } from "../runs/asked-question.js";
import { type DecisionRequest, decideBreakpoint } from "../runs/decide-breakpoint.js";
import { matterOf } from "../runs/decision-checks.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { Asker, Progress, Question, Settled } from "./progress.js";

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
  /** Where answers from the terminal come from, and whose answers count. */
  source: DecisionSource;
  answers: AnswersPolicy;
  report: (progress: Progress) => void;
  /** A decision was recorded here. */
  recorded: (event: JournalEvent) => void;
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
    const { journal, policy, asker, user, report } = this.#options;
    const asked = await readQuestion(journal, pending);
    // A policy is set before the question is known; what is marked as risky needs someone who reads it.
    if (policy !== undefined && asked.risk !== "high") {
      const decision = policy.approve ? "approve" : "reject";
      const settled = await this.#record({
        effectId: pending.effectId,
        decision,
        by: `policy:${policy.name}`,
        source: { via: "policy" },
      });
      if ("refused" in settled) report({ type: "notice", text: settled.refused });
      return;
    }
    const { source, answers } = this.#options;
    const confirm = needsName(source, matterOf(journal.summary, asked, answers)) ? journal.runId : undefined;
    const question = { ...questionFor(pending, asked), ...defined({ risk: asked.risk, confirm }) };
    const answer = await asker?.(question, signal, async ({ approved, option, feedback, confirmed }) => {
      const decision = option === undefined ? (approved ? "approve" : "reject") : { option };
      const why = approved ? feedback : feedback || "Rejected at the terminal without a reason.";
      return this.#record({
        effectId: pending.effectId,
        decision,
        ...defined({ feedback: why, shown: pending.shown }),
        by: user,
        source: { ...source, ...defined({ confirmed }) },
      });
    });
    if (answer === undefined) this.#leftOpen.add(pending.effectId);
  }

  async #record(request: DecisionRequest): Promise<Settled> {
    const { journal, answers, recorded } = this.#options;
    try {
      const { outcome, event, result } = await decideBreakpoint(journal, { ...request, answers });
      if (outcome === "committed" && event !== undefined) recorded(event);
      return { approved: result.approved };
    } catch (error) {
      if (!BabysitterError.is(error) || error.code === "JOURNAL_UNWRITABLE") throw error;
      // Refused, or someone else was faster: the question is not put again.
      this.#leftOpen.add(request.effectId as EffectId);
      return { refused: `${error.message} ${error.hint ?? ""}`.trim() };
    }
  }
}

/** The question as a person is asked it. */
function questionFor(
  { effectId }: PendingEffect,
  { question, title, options, facts, files }: BreakpointQuestion,
): Question {
  const context = { ...facts, ...(files.length === 0 ? {} : { files: files as unknown as Json }) };
  return { effectId, title, question, options: options.map(({ label }) => label), context };
}
