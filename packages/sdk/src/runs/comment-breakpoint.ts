import { BabysitterError } from "../model/errors.js";
import type { BreakpointCommented } from "../model/events.js";
import { type EffectId, parseEffectId } from "../model/ids.js";
import { isFinished, pendingOf } from "../model/run-state.js";
import { type DecisionSource, isVerified } from "../model/who-may-decide.js";
import type { RunJournal } from "./run-journal.js";

/** Longer comments belong in a file. */
const MAX_COMMENT = 16 * 1024;

export interface CommentRequest {
  effectId: string;
  text: string;
  by: string;
  source: DecisionSource;
}

export interface CommentAnswer {
  effectId: EffectId;
  comment: BreakpointCommented & { at: string };
  /** How many there are now. */
  count: number;
}

/** Adds a comment to an open question, which stays open. Everyone may: a comment decides nothing. */
export async function commentBreakpoint(journal: RunJournal, request: CommentRequest): Promise<CommentAnswer> {
  const effectId = parseEffectId(request.effectId);
  const text = request.text.trim();
  if (text === "") throw new BabysitterError("USAGE", "The comment is empty.");
  if (text.length > MAX_COMMENT)
    throw new BabysitterError("USAGE", `The comment has ${text.length} characters; the limit is ${MAX_COMMENT}.`);
  const { source, by } = request;
  const at = journal.ports.clock.now().toISOString();
  const comment: BreakpointCommented = { text, author: by, via: source.via, verified: isVerified(source) };
  await journal.catchUp();
  await journal.commit((summary, appended) => {
    if (appended.length > 0) return [];
    const pending = pendingOf(summary, effectId);
    if (pending?.kind !== "breakpoint" || isFinished(summary)) throw notOpen(effectId);
    const { invocationKey, taskId } = pending;
    return [{ type: "BREAKPOINT_COMMENTED", timestamp: at, effectId, invocationKey, taskId, payload: comment }];
  });
  return {
    effectId,
    comment: { ...comment, at },
    count: pendingOf(journal.summary, effectId)?.comments?.length ?? 1,
  };
}

function notOpen(effectId: EffectId): BabysitterError {
  return new BabysitterError(
    "EFFECT_ALREADY_RESOLVED",
    `${effectId} is no longer open; nobody would read the comment.`,
    {
      hint: `See: babysitter breakpoint:show ${effectId}`,
      details: { outcome: "rejected", effectId },
    },
  );
}
