/**
 * Decides and comments for programs that stand between a person and a run. They hand on what the person has shown them;
 * who that is, and what it is worth, is found out here.
 */

import type { InboxAccess } from "../../inbox/inbox-access.js";
import { assertionProblem } from "../../inbox/verify-assertion.js";
import { sha256 } from "../../journal/rules/chain.js";
import { BabysitterError } from "../../model/errors.js";
import { defined, type Json } from "../../model/json.js";
import { pendingOf } from "../../model/run-state.js";
import type { Assertion, SignedDecision } from "../../model/signed-decision.js";
import type { ChatTap } from "../../notify/chats.js";
import { type CommentAnswer, type CommentPlace, commentBreakpoint } from "../../runs/comment-breakpoint.js";
import {
  challengeOf,
  type DecisionAnswer,
  type DecisionWords,
  decideBreakpoint,
} from "../../runs/decide-breakpoint.js";
import { RunJournal } from "../../runs/run-journal.js";
import { answersOf } from "../decision-source.js";
import { endOneQuestion } from "../end-one-question.js";
import { resultTeller } from "../lifecycle/lifecycle-hooks.js";
import { type Desk, deskCaller } from "./desk.js";
import { type Evidence, sourceOf } from "./evidence.js";
import { callInBackground, NEVER } from "./hook-calls.js";

/** Decides a question, and has the hooks of that called, for which nobody waits. */
export async function decide(
  desk: Desk,
  journal: RunJournal,
  { evidence, ...words }: DecisionWords & { shown?: string | null; evidence: Evidence },
): Promise<DecisionAnswer> {
  const { access, env } = desk;
  // Hooks are called, and what they say is recorded, while the caller goes on with its own journal.
  const own = await RunJournal.open(journal.ports, journal.runId);
  const shown = sourceOf(desk, evidence, evidence?.kind === "chat" ? await challengeOf(own, words) : undefined);
  const signed = evidence.kind === "passkey" ? await signedBy(access, own, words, evidence.assertion) : undefined;
  const source = signed === undefined ? shown.source : { ...shown.source, proof: "passkey" as const };
  const tell = resultTeller(deskCaller(desk, own), own, { signal: NEVER });
  // What was signed is about what the question shows now, so the decision is too.
  const seen = signed === undefined ? {} : { shown: pendingOf(own.summary, words.effectId)?.shown ?? null };
  const request = { ...seen, ...words, by: shown.by, source, answers: answersOf({ env }, own), ...defined({ signed }) };
  const decided = await decideBreakpoint(own, request).catch(async (error: unknown) => {
    await tell(undefined);
    throw error;
  });
  callInBackground(tell(decided.outcome === "committed" ? decided.event : undefined));
  await own.saveCaches();
  await endOneQuestion(own, env);
  await journal.catchUp();
  return decided;
}

/** Comments on an open question, which stays open. */
export async function comment(
  desk: Desk,
  journal: RunJournal,
  { evidence, ...words }: { effectId: string; text: string; place?: CommentPlace | undefined; evidence: Evidence },
): Promise<CommentAnswer> {
  return commentBreakpoint(journal, { ...words, ...sourceOf(desk, evidence, commentChallenge(words)) });
}

/** Where a button goes, and what its channel has to know when it is tapped. */
export interface ButtonPlace {
  channel: string;
  about: Json;
  /** The tap that this button is to confirm, as the second of two. */
  after?: ChatTap;
}

/** The button that decides when it is tapped in a person's chat. */
export async function offerDecision(
  { chats }: Pick<Desk, "chats">,
  journal: RunJournal,
  words: DecisionWords,
  { channel, about, after }: ButtonPlace,
): Promise<string> {
  return chats.offer(channel, { challenge: await challengeOf(journal, words), about, after });
}

/** The button that adds a comment when it is tapped in a person's chat. */
export function offerComment(
  { chats }: Pick<Desk, "chats">,
  words: CommentWords,
  { channel, about }: Pick<ButtonPlace, "channel" | "about">,
): string {
  return chats.offer(channel, { challenge: commentChallenge(words), about });
}

interface CommentWords {
  effectId: string;
  text: string;
}

function commentChallenge({ effectId, text }: CommentWords): string {
  return sha256(JSON.stringify({ comment: text, effectId }));
}

async function signedBy(
  access: InboxAccess,
  journal: RunJournal,
  words: DecisionWords,
  assertion: Assertion,
): Promise<SignedDecision> {
  const key = access.keys().find(({ credentialId }) => credentialId === assertion.credentialId);
  const problem =
    key === undefined ? "it is not known here" : assertionProblem(assertion, key, await challengeOf(journal, words));
  if (key === undefined || problem !== undefined)
    throw new BabysitterError("DECISION_NOT_ALLOWED", `The passkey does not confirm this decision: ${problem}.`, {
      hint: "Review the question and confirm again.",
      details: {
        effectId: words.effectId,
        why: "passkey",
        shown: pendingOf(journal.summary, words.effectId)?.shown ?? null,
      },
    });
  return { assertion, key };
}
