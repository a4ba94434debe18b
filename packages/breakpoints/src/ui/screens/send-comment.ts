/** Sends a comment; what its author sees follows at once. */
import type { CommentBody } from "../../wire/inbox-wire.js";
import { comment, readQuestion } from "../api/inbox-api.js";
import { reading, takeDetail } from "../api/inbox-state.js";
import { changeOf } from "../model/question-change.js";

export async function sendComment(id: string, body: CommentBody): Promise<void> {
  const reply = await comment(id, body);
  const shown = reading.peek()?.shown;
  if (shown === undefined || shown.id !== id) return;
  takeDetail({ ...shown, comments: [...shown.comments, reply.comment], commentCount: reply.count }, true);
  if (reply.count === shown.comments.length + 1) return;
  // Others have written too. Comments are all that may appear by themselves here.
  const now = await readQuestion(id).catch(() => undefined);
  if (now !== undefined) takeDetail(now, changeOf(shown, now) === "comments");
}
