/** What holds for every answer to a question, whichever way it comes. */
import type { BreakpointQuestion } from "../model/breakpoint-question.js";
import { BabysitterError } from "../model/errors.js";
import { canonicalJson, defined, isJsonObject, type Json } from "../model/json.js";
import type { PendingEffect, RunSummary } from "../model/run-state.js";
import { shownLine } from "../model/shown-text.js";
import {
  type AnswersPolicy,
  type DecidedMatter,
  type DecisionSource,
  isVerified,
  whyNotDecide,
} from "../model/who-may-decide.js";

/** Where an answer comes from, and what it is meant for. */
export interface DecisionTerms {
  source: DecisionSource;
  answers?: AnswersPolicy;
  /** Hash of what the person was shown; when given, it must be the recorded one. `null`: there was none. */
  shown?: string | null;
}

/** What the rules need to know of a question. */
export function matterOf(
  summary: RunSummary,
  { risk }: Pick<BreakpointQuestion, "risk">,
  answers: AnswersPolicy,
): DecidedMatter {
  const bound = summary.created.session !== undefined || (summary.loop?.sessions.length ?? 0) > 0;
  return { bound, risk, answers };
}

/** True for someone who may answer the questions of a run, those of high risk aside. */
export function mayDecide(summary: RunSummary, source: DecisionSource, answers: AnswersPolicy): boolean {
  return whyNotDecide(source, matterOf(summary, {}, answers)) === undefined;
}

/** Refuses an answer from someone who may not give it, or to something else than what is asked now. */
export function checkDecision(
  summary: RunSummary,
  pending: PendingEffect,
  question: BreakpointQuestion,
  { source, answers = "bound", shown }: DecisionTerms,
): void {
  const details = { outcome: "rejected", runId: summary.created.runId, effectId: pending.effectId };
  const refusal = whyNotDecide(source, matterOf(summary, question, answers));
  if (refusal !== undefined) {
    throw new BabysitterError("DECISION_NOT_ALLOWED", `${pending.effectId}: ${refusal.message}`, {
      hint: refusal.hint.replaceAll("<id>", pending.effectId),
      details: { ...details, why: refusal.why, via: source.via },
    });
  }
  if (shown !== undefined && shown !== (pending.shown ?? null)) {
    // Asked only once, it has never shown anything else.
    const isWrong = shown !== null && pending.attempt === 1;
    const message = isWrong
      ? `What ${pending.effectId} shows does not have the hash ${shownLine(shown, 80)}.`
      : `What ${pending.effectId} shows has changed since it was asked.`;
    throw new BabysitterError("BREAKPOINT_CHANGED", message, {
      hint: `Review it again: babysitter breakpoint:show ${pending.effectId}`,
      details: { ...details, shown: pending.shown ?? null },
    });
  }
}

/** An answer with what only the engine knows. What the answer itself claims about that does not count. */
export function stampAnswer(value: Json, pending: PendingEffect, source: DecisionSource, decidedAt: string): Json {
  if (!isJsonObject(value)) return value;
  const { comments, shown: _, proof: _proof, ...fields } = value;
  const said = (pending.comments ?? []).map((comment) => defined({ ...comment })) as unknown as Json[];
  return {
    ...fields,
    comments: [...said, ...(Array.isArray(comments) ? comments : [])],
    decidedAt,
    via: source.via,
    verified: isVerified(source),
    ...defined({ proof: source.proof, shown: pending.shown }),
  };
}

/** Fields that say who, when and how; the answer is the same without them. */
const CIRCUMSTANCES = [
  "proof",
  "comments",
  "decidedAt",
  "via",
  "verified",
  "shown",
  "respondedBy",
  "author",
  "allResponses",
];

/** True when everything that the second answer says is in the recorded one. */
export function sameAnswer(recorded: Json, wanted: Json): boolean {
  if (!isJsonObject(recorded) || !isJsonObject(wanted)) return false;
  return [...Object.keys(wanted), "option"].every(
    (name) => CIRCUMSTANCES.includes(name) || textOf(wanted[name]) === textOf(recorded[name]),
  );
}

function textOf(value: Json | undefined): string {
  return canonicalJson(value ?? null, "The answer");
}
