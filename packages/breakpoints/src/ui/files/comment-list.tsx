import type { VNode } from "preact";
import type { QuestionComment } from "../../wire/inbox-wire.js";
import { Age } from "../parts/age.js";
import { Visible } from "../text/line-text.js";
import { namesOf } from "./line-selection.js";

/** Comments that stand in one place, oldest first. */
export function CommentList({ comments }: { comments: readonly QuestionComment[] }): VNode | null {
  if (comments.length === 0) return null;
  return (
    <ul class="line-comments">
      {comments.map((comment) => (
        <CommentItem key={`${comment.at} ${comment.author}`} comment={comment} />
      ))}
    </ul>
  );
}

function CommentItem({ comment }: { comment: QuestionComment }): VNode {
  const { text, author, at, verified, line, endLine, side } = comment;
  const words = [
    line === undefined || line === (endLine ?? line) ? undefined : `on ${namesOf({ line, endLine })}`,
    side === "base" ? "before the change" : undefined,
    verified ? undefined : "unverified",
  ].filter((word) => word !== undefined);
  return (
    <li class="line-comment">
      <p class="comment-head">
        <strong>
          <Visible text={author} />
        </strong>{" "}
        {[...words, ""].join(" · ")}
        <Age at={at} ago />
      </p>
      <p class="comment-text" dir="auto">
        <Visible text={text} />
      </p>
    </li>
  );
}
