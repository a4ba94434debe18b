/** Placeholder of the room ui/files. */
import { useEffect, useState } from "preact/hooks";
import type { CommentBody, FileHead, FilePage, QuestionComment, Side } from "../../wire/inbox-wire.js";
import { UserText } from "../parts/user-text.js";

export interface FileReviewProps {
  file: FileHead;
  questionId: string;
  loadPage: (n: number, side: Side, from: number) => Promise<FilePage>;
  comments: QuestionComment[];
  canComment: boolean;
  readDraft: (place: string) => string;
  keepDraft: (place: string, text: string) => void;
  onComment: (body: CommentBody) => Promise<void>;
}

export function FileReview({ file, loadPage }: FileReviewProps) {
  const [text, setText] = useState("");
  useEffect(
    () =>
      void loadPage(file.n, "file", 0).then(
        (page) => setText(page.text),
        () => undefined,
      ),
    [file.n, loadPage],
  );
  return (
    <section class="file">
      <h3>
        <UserText text={file.path} />
      </h3>
      <pre class="pre">
        <UserText text={text} />
      </pre>
    </section>
  );
}
