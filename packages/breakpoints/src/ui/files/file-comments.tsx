import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { QuestionComment } from "../../wire/inbox-wire.js";
import { CommentForm } from "./comment-form.js";
import { CommentList } from "./comment-list.js";
import type { FileWork } from "./file-review.js";
import type { FileView } from "./file-views.js";
import { Note, QuietButton } from "./note.js";

/** What is said about a file as a whole, and where to find what is said about lines that are not in view. */
export function FileComments({
  work,
  hasLines,
  onView,
}: {
  work: FileWork;
  hasLines: boolean;
  onView: (view: FileView) => void;
}): VNode {
  const { props } = work;
  const { file, comments, canComment, readDraft, keepDraft, onComment } = props;
  const key = `file.${file.n}`;
  const [text, setText] = useState(() => readDraft(key));
  const [isWriting, setWriting] = useState(canComment && text !== "");
  const [takesFocus, setTakesFocus] = useState(false);
  const keep = (next: string): void => {
    keepDraft(key, next);
    setText(next);
  };
  const elsewhere = hasLines ? elsewhereOf(work, comments) : undefined;
  return (
    <div class="file-comments">
      {elsewhere !== undefined && (
        <Note tone="quiet">
          {elsewhere.count} {elsewhere.count === 1 ? "comment" : "comments"} on lines that are not in this view.{" "}
          <QuietButton onClick={() => onView(elsewhere.view)}>Show {elsewhere.count === 1 ? "it" : "them"}</QuietButton>
        </Note>
      )}
      <CommentList comments={comments.filter(({ path, line }) => path === file.path && line === undefined)} />
      {isWriting ? (
        <CommentForm
          text={text}
          takesFocus={takesFocus}
          onText={keep}
          onSend={async () => {
            await onComment({ text, path: file.path });
            // What was typed meanwhile is not sent yet.
            if (readDraft(key) !== text) return;
            keep("");
            setWriting(false);
          }}
          onClose={() => setWriting(false)}
        />
      ) : (
        canComment && (
          <button
            type="button"
            class="button"
            data-kind="quiet"
            onClick={() => {
              setTakesFocus(true);
              setWriting(true);
            }}
          >
            Comment on the whole file
          </button>
        )
      )}
    </div>
  );
}

/** Comments on lines that this view does not have, and the view that has them. */
function elsewhereOf(
  { view, against, props }: FileWork,
  comments: readonly QuestionComment[],
): { count: number; view: FileView } | undefined {
  const onLines = comments.filter(({ path, line }) => path === props.file.path && line !== undefined);
  const onBase = onLines.filter(({ side }) => side === "base").length;
  if (view === "rendered" && onLines.length > onBase) return { count: onLines.length - onBase, view: "file" };
  const showsBase = view === "difference" && against?.side === "base";
  const hasBase = props.file.comparisons.some(({ side, refused }) => side === "base" && refused === undefined);
  return onBase === 0 || showsBase || !hasBase ? undefined : { count: onBase, view: "difference" };
}
