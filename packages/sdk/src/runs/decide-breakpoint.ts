/** Decides a question, once: the first decision stays, and everyone after it is told what it was. */
import { type AnswerOption, type BreakpointQuestion, optionsNamed } from "../model/breakpoint-question.js";
import { type BreakpointResult, toBreakpointResult } from "../model/breakpoint-result.js";
import { BabysitterError } from "../model/errors.js";
import type { JournalEvent } from "../model/events.js";
import { type EffectId, parseEffectId } from "../model/ids.js";
import { defined, type Json, type JsonObject } from "../model/json.js";
import { requestOf } from "../model/replay-index.js";
import { pendingOf } from "../model/run-state.js";
import { shownTime } from "../model/shown-amounts.js";
import { saidText } from "../model/shown-text.js";
import type { SignedDecision } from "../model/signed-decision.js";
import { readQuestion } from "./asked-question.js";
import { decisionChallenge } from "./decision-challenge.js";
import type { DecisionTerms } from "./decision-checks.js";
import { effectNotFound, postResult } from "./post-result.js";
import type { RunJournal } from "./run-journal.js";

/** What is decided. */
export interface DecisionWords {
  effectId: string;
  decision: "approve" | "reject" | { option: string };
  /** Why; a rejection without it is refused. */
  feedback?: string;
  /** An answer in words, when the question asks for one. */
  response?: string;
}

export interface DecisionRequest extends DecisionWords, DecisionTerms {
  /** Who decides, as far as the source can tell. */
  by: string;
  /** What a passkey has signed, to be kept with the decision. */
  signed?: SignedDecision;
}

export interface DecisionAnswer {
  /** `duplicate`: the same was decided before. */
  outcome: "committed" | "duplicate";
  effectId: EffectId;
  result: BreakpointResult;
  event: JournalEvent | undefined;
}

export async function decideBreakpoint(journal: RunJournal, request: DecisionRequest): Promise<DecisionAnswer> {
  const effectId = parseEffectId(request.effectId);
  const question = await questionOf(journal, effectId);
  const value = answerTo(question, request);
  const { source, answers, shown, signed } = request;
  try {
    const { outcome, recorded, event } = await postResult(journal, {
      effectId,
      result: { status: "ok", value, metadata: { source, ...defined({ signed }) } },
      decision: { source, ...defined({ answers, shown }) },
    });
    const decidedAt = event?.timestamp ?? journal.ports.clock.now().toISOString();
    return { outcome, effectId, result: toBreakpointResult(recorded.value ?? null, decidedAt), event };
  } catch (error) {
    throw BabysitterError.is(error) && error.code === "EFFECT_ALREADY_RESOLVED" ? tooLate(effectId, error) : error;
  }
}

/** What a passkey has to sign for this decision to be the one of its holder. */
export async function challengeOf(journal: RunJournal, words: DecisionWords): Promise<string> {
  const effectId = parseEffectId(words.effectId);
  const answer = answerTo(await questionOf(journal, effectId), { ...words, by: "", source: { via: "web" } });
  const { pending, created } = journal.summary;
  const { attempt = 0, shown } = pending[effectId] ?? {};
  return decisionChallenge({ effectId, attempt, since: created.at }, shown, answer);
}

async function questionOf(journal: RunJournal, effectId: EffectId): Promise<BreakpointQuestion> {
  if (pendingOf(journal.summary, effectId) === undefined) await journal.catchUp();
  const pending = pendingOf(journal.summary, effectId);
  if (pending?.kind === "breakpoint") return readQuestion(journal, pending);
  const known = requestOf(await journal.index(), effectId);
  if (known?.kind !== "breakpoint") throw effectNotFound(effectId, journal);
  return readQuestion(journal, { request: known, ...defined({ title: known.title }) });
}

/** The answer as it is recorded; the engine adds when, how and what was shown. */
function answerTo(question: BreakpointQuestion, request: DecisionRequest): JsonObject {
  const { decision, by, effectId } = request;
  const option = typeof decision === "string" ? undefined : chosen(question, decision.option, effectId);
  const approved = option === undefined ? decision === "approve" : !option.rejects;
  const response = saidText(request.response);
  const feedback = saidText(request.feedback) ?? defaultReason(request, approved, option?.label);
  const words = defined({ option: option?.id ?? option?.label, response, feedback });
  return {
    approved,
    release: approved,
    ...words,
    respondedBy: by,
    author: by,
    ...defined({ comment: feedback ?? response }),
    allResponses: [{ respondedBy: by, approved, ...words }],
  };
}

function chosen(question: BreakpointQuestion, name: string, effectId: string): BreakpointQuestion["options"][number] {
  const [option, ...others] = optionsNamed(question, name);
  const offered = question.options.map(({ label }) => label);
  if (option !== undefined && others.some((other) => !isSame(option, other))) {
    throw new BabysitterError(
      "BREAKPOINT_OPTION_UNKNOWN",
      `${effectId} has more than one option ${JSON.stringify(name)}.`,
      {
        hint: `Use the other name of the one you mean; see: babysitter breakpoint:show ${effectId}`,
        details: { effectId, options: offered },
      },
    );
  }
  if (option !== undefined) return option;
  const hint = offered.length === 0 ? "It has no options: approve or reject it." : `Options: ${offered.join(", ")}`;
  throw new BabysitterError("BREAKPOINT_OPTION_UNKNOWN", `${effectId} has no option ${JSON.stringify(name)}.`, {
    hint,
    details: { effectId, options: offered },
  });
}

/** Of two answers with the same name one may be a no, and a no must never be taken for a yes. */
function isSame(one: AnswerOption, other: AnswerOption): boolean {
  return (one.id ?? one.label) === (other.id ?? other.label) && one.rejects === other.rejects;
}

function defaultReason({ decision, source, by, effectId }: DecisionRequest, approved: boolean, label?: string) {
  if (approved) return undefined;
  if (label !== undefined && decision !== "reject") return label;
  // A policy was set before the question was known: its name is all the reason there can be.
  if (source.via === "policy") return `Rejected by ${by}.`;
  throw new BabysitterError("BREAKPOINT_REASON_MISSING", `The rejection of ${effectId} has no reason.`, {
    hint: `Say why, so that the work can improve: babysitter breakpoint:reject ${effectId} --reason "…"`,
    details: { effectId },
  });
}

function tooLate(effectId: EffectId, error: BabysitterError): BabysitterError {
  const { recorded } = error.details as { recorded?: { status: string; value?: Json } };
  if (recorded?.status !== "ok") return error;
  const winner = toBreakpointResult(recorded.value ?? null, "");
  return new BabysitterError(
    "EFFECT_ALREADY_RESOLVED",
    `${effectId} was already decided: ${describeDecision(winner)} The recorded decision stays.`,
    {
      hint: `See: babysitter breakpoint:show ${effectId}`,
      details: { outcome: "duplicate", effectId, recorded: recorded.value ?? null },
    },
  );
}

/** A decision in one sentence. */
export function describeDecision({
  approved,
  option,
  respondedBy,
  via,
  decidedAt,
  feedback,
}: Pick<BreakpointResult, "approved" | "option" | "respondedBy" | "via" | "decidedAt" | "feedback">): string {
  const what = approved ? "approved" : "rejected";
  const choice = option === undefined ? "" : ` (${option})`;
  const words = feedback === undefined || feedback === option ? "" : `: ${feedback}`;
  const when = decidedAt === "" ? "" : `, ${shownTime(decidedAt)}`;
  return `${what}${choice} by ${respondedBy ?? "someone"}, ${via}${when}${words}.`.replace(/([.!?])\.$/, "$1");
}
