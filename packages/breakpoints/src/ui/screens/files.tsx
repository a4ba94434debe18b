/** The files of a question. What shows them is loaded when there are any. */
import { useCallback } from "preact/hooks";
import type { CommentBody, QuestionDetail, Side } from "../../wire/inbox-wire.js";
import { draftsOf, draftText, keepDraft } from "../api/draft-box.js";
import { readFilePage } from "../api/inbox-api.js";
import { lazyPart } from "../parts/lazy-part.js";
import { Problem } from "../parts/problem.js";
import { sendComment } from "./send-comment.js";

const FilesPane = lazyPart(() => import("../files/files-pane.js").then((module) => module.FilesPane), {
  meanwhile: <span class="skeleton file-skeleton" />,
  otherwise: <Problem message="The file viewer could not be loaded." hint="Reload the page." />,
});

/** Asked for only when it is used: a browser may forbid even to look at its storage. */
const MARKS = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, value: string) => localStorage.setItem(key, value),
};

export function Files({ question }: { question: QuestionDetail }) {
  const { id, files, comments, state, readOnly } = question;
  const loadPage = useCallback((n: number, side: Side, from: number) => readFilePage(id, { n, side, from }), [id]);
  const readDraft = useCallback((place: string) => draftText(id, place), [id]);
  const writeDraft = useCallback((place: string, text: string) => keepDraft(id, place, text), [id]);
  const draftPlaces = useCallback(() => draftsOf(id).map(({ place }) => place), [id]);
  const onComment = useCallback((body: CommentBody) => sendComment(id, body), [id]);
  if (files.length === 0) return null;
  return (
    <section class="section" aria-labelledby="files">
      <h2 id="files">
        Files <span class="quiet">{files.length}</span>
      </h2>
      <FilesPane
        key={id}
        files={files}
        questionId={id}
        loadPage={loadPage}
        comments={comments}
        canComment={state === "open" && readOnly === undefined}
        readDraft={readDraft}
        keepDraft={writeDraft}
        draftPlaces={draftPlaces}
        onComment={onComment}
        marks={MARKS}
      />
    </section>
  );
}
