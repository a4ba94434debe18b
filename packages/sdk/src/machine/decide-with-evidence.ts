/**
 * Decides and comments for programs that stand between a person and a run. They hand on what the person has shown them;
 * who that is, and what it is worth, is found out here.
 */

import type { InboxAccess } from "../inbox/inbox-access.js";
import { assertionProblem } from "../inbox/verify-assertion.js";
import { BabysitterError } from "../model/errors.js";
import { pendingOf } from "../model/run-state.js";
import type { Assertion, SignedDecision } from "../model/signed-decision.js";
import type { DecisionSource } from "../model/who-may-decide.js";
import { type CommentAnswer, type CommentPlace, commentBreakpoint } from "../runs/comment-breakpoint.js";
import { challengeOf, type DecisionAnswer, type DecisionWords, decideBreakpoint } from "../runs/decide-breakpoint.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { Environment } from "./caller.js";
import { answersOf, userName } from "./decision-source.js";
import { endOneQuestion } from "./end-one-question.js";

/** What someone has shown: nothing but that they can reach this machine, the token of a browser, or a passkey as well. */
export type Evidence =
  | { kind: "local"; author?: string | undefined }
  | { kind: "session"; token: string }
  | { kind: "passkey"; token: string; assertion: Assertion };

export interface Desk {
  access: InboxAccess;
  env: Environment;
}

export async function decide(
  { access, env }: Desk,
  journal: RunJournal,
  { evidence, ...words }: DecisionWords & { shown?: string; evidence: Evidence },
): Promise<DecisionAnswer> {
  const { source, by } = sourceOf(access, evidence);
  const signed = evidence.kind === "passkey" ? await signedBy(access, journal, words, evidence.assertion) : undefined;
  const decided = await decideBreakpoint(journal, {
    ...words,
    by,
    source,
    answers: answersOf({ env }, journal),
    ...(signed === undefined ? {} : { signed }),
  });
  await journal.saveCaches();
  await endOneQuestion(journal, env);
  return decided;
}

export async function comment(
  { access }: Desk,
  journal: RunJournal,
  { evidence, ...words }: { effectId: string; text: string; place?: CommentPlace | undefined; evidence: Evidence },
): Promise<CommentAnswer> {
  return commentBreakpoint(journal, { ...words, ...sourceOf(access, evidence) });
}

function sourceOf(access: InboxAccess, evidence: Evidence): { source: DecisionSource; by: string } {
  if (evidence.kind === "local") return { source: { via: "web" }, by: evidence.author ?? "someone" };
  if (access.deviceOf(evidence.token) === undefined)
    throw new BabysitterError("SIGN_IN_REFUSED", "This browser is not signed in, or no longer.", {
      hint: "Sign in again: babysitter ui",
    });
  const hasKey = access.keys().length > 0;
  return { source: { via: "web", verified: true, proof: evidence.kind, hasKey }, by: userName() };
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
      hint: "Look at the question again, and confirm once more.",
      details: {
        effectId: words.effectId,
        why: "passkey",
        shown: pendingOf(journal.summary, words.effectId)?.shown ?? null,
      },
    });
  return { assertion, key };
}
