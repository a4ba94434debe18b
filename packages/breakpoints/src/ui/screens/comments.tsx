/** What was said about a question without deciding it. */
import { useState } from "preact/hooks";
import type { QuestionComment, QuestionDetail } from "../../wire/inbox-wire.js";
import { draftsOf, draftText, forgetSent, keepDraft } from "../api/draft-box.js";
import { problemOf } from "../api/request.js";
import { isBlank } from "../model/blank.js";
import { Age } from "../parts/age.js";
import { notify } from "../parts/notices.js";
import { TextField } from "../parts/text-field.js";
import { UserText } from "../parts/user-text.js";
import { sendComment } from "./send-comment.js";

export function Comments({ question }: { question: QuestionDetail }) {
  const { comments, state, readOnly } = question;
  const canComment = state === "open" && readOnly === undefined;
  if (comments.length === 0 && !canComment) return null;
  return (
    <section class="section" aria-label="Comments">
      {comments.length === 0 ? null : (
        <h2>
          Comments <span class="quiet">{comments.length}</span>
        </h2>
      )}
      {comments.length === 0 ? null : (
        <ul class="comments">
          {comments.map((comment) => (
            <li key={`${comment.at} ${comment.author} ${comment.text}`}>
              <Comment comment={comment} />
            </li>
          ))}
        </ul>
      )}
      {canComment ? <NewComment id={question.id} /> : null}
    </section>
  );
}

function Comment({
  comment: { text, author, at, verified, path, line, endLine, quote },
}: {
  comment: QuestionComment;
}) {
  return (
    <div class="comment">
      <div class="small quiet">
        <strong>
          <UserText text={author} />
        </strong>
        {verified ? "" : " (not verified)"}, <Age at={at} ago />
        {path === undefined ? null : (
          <>
            {", on "}
            <UserText text={path} class="code" />
            {line === undefined
              ? ""
              : endLine === undefined || endLine === line
                ? ` line ${line}`
                : ` lines ${line}–${endLine}`}
          </>
        )}
      </div>
      {quote === undefined ? null : (
        <blockquote>
          <code class="pre">
            <UserText text={quote} />
          </code>
        </blockquote>
      )}
      <UserText text={text} lines block class="prose" />
    </div>
  );
}

function NewComment({ id }: { id: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  void draftsOf(id);
  const text = draftText(id, "comment");
  const send = async (): Promise<void> => {
    if (busy) return;
    if (isBlank(text)) return setProblem("Write your comment first.");
    setBusy(true);
    try {
      await sendComment(id, { text: text.trim() });
      forgetSent(id, "comment", text);
      notify({ text: "Comment sent. The question is still open.", tone: "good" });
    } catch (error) {
      setProblem(problemOf(error).message);
    }
    setBusy(false);
  };
  return (
    <div class="section">
      <TextField
        label="Comment without deciding"
        name="comment"
        hint="Saved at once, for everyone who looks. The run gets it with the decision."
        text={text}
        problem={problem}
        onText={(next) => {
          setProblem(undefined);
          keepDraft(id, "comment", next);
        }}
        onSubmit={() => void send()}
      />
      <div class="with-action">
        <button type="button" class="button" disabled={busy} onClick={() => void send()}>
          {busy ? "Sending…" : "Send comment"}
        </button>
      </div>
    </div>
  );
}
