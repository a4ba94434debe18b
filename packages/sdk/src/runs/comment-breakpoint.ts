import { BabysitterError } from "../model/errors.js";
import type { BreakpointCommented } from "../model/events.js";
import { type EffectId, parseEffectId } from "../model/ids.js";
import { defined } from "../model/json.js";
import { isFinished, pendingOf } from "../model/run-state.js";
import { saidText } from "../model/shown-text.js";
import { type DecisionSource, isVerified } from "../model/who-may-decide.js";
import { historyOf, recordedText } from "./describe-breakpoint.js";
import type { RunJournal } from "./run-journal.js";

/** Longer comments belong in a file. */
const MAX_COMMENT = 16 * 1024;
/** A comment on a whole file need not repeat it. */
const MAX_QUOTE = 4 * 1024;

/** Lines of a file that is shown with a question, counted from 1. */
export interface CommentPlace {
  path: string;
  /** The lines are those of the file that it is compared with. */
  side?: "base" | undefined;
  line?: number | undefined;
  endLine?: number | undefined;
}

export interface CommentRequest {
  effectId: string;
  text: string;
  by: string;
  source: DecisionSource;
  place?: CommentPlace | undefined;
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
  const text = saidText(request.text);
  if (text === undefined) throw new BabysitterError("USAGE", "The comment is empty.");
  if (text.length > MAX_COMMENT)
    throw new BabysitterError("USAGE", `The comment has ${text.length} characters; the limit is ${MAX_COMMENT}.`);
  const { source, by, place } = request;
  const at = journal.ports.clock.now().toISOString();
  await journal.catchUp();
  const comment: BreakpointCommented = {
    text,
    author: by,
    via: source.via,
    verified: isVerified(source),
    ...(place === undefined ? {} : await quoted(journal, effectId, place)),
  };
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

/** The place with what is written there: the agent that reads the comment may have changed the file since. */
async function quoted(
  journal: RunJournal,
  effectId: EffectId,
  { path, side, line, endLine = line }: CommentPlace,
): Promise<Pick<BreakpointCommented, "path" | "side" | "line" | "endLine" | "quote">> {
  const files = (await historyOf(journal, effectId)).opened?.files ?? [];
  const shown = files.find((file) => file.path === path);
  if (shown === undefined)
    throw new BabysitterError("USAGE", `${effectId} shows no file ${JSON.stringify(path)}.`, {
      hint: files.length === 0 ? "It shows no files." : `It shows: ${files.map((file) => file.path).join(", ")}`,
    });
  const about = { path, ...defined({ side }) };
  if (line === undefined || endLine === undefined) return about;
  const { text, refused } = await recordedText(journal, (side === "base" ? shown.base : shown) ?? {});
  if (text === undefined)
    throw new BabysitterError("USAGE", `The lines of ${path} are not shown${refused ? `: ${refused}` : ""}.`);
  const lines = text.replace(/\n$/, "").split("\n");
  if (!isPlace(line, endLine, lines.length))
    throw new BabysitterError("USAGE", `${path} has lines 1 to ${lines.length}, not ${line} to ${endLine}.`);
  const quote = lines
    .slice(line - 1, endLine)
    .join("\n")
    .slice(0, MAX_QUOTE);
  return { ...about, line, ...(endLine === line ? {} : { endLine }), quote };
}

function isPlace(line: number, endLine: number, lines: number): boolean {
  return (
    Number.isSafeInteger(line) && Number.isSafeInteger(endLine) && 1 <= line && line <= endLine && endLine <= lines
  );
}
