/** All files of a question: a list where there are several, and the one that is being read. */
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { FileHead } from "../../wire/inbox-wire.js";
import { FileList } from "./file-list.js";
import { FileReview } from "./file-review.js";
import type { ReviewProps } from "./review-props.js";
import { keepViewed, type MarkStore, markViewed, readViewed } from "./viewed-files.js";

export interface FilesPaneProps extends ReviewProps {
  files: readonly FileHead[];
  /** Where it is kept which files were viewed. */
  marks: MarkStore;
}

export function FilesPane({ files, marks, ...props }: FilesPaneProps): VNode | null {
  const [current, setCurrent] = useState(files[0]?.n);
  const [viewed, show] = useState(() => readViewed(marks, props.questionId));
  const place = useRef<HTMLDivElement>(null);
  const file = files.find(({ n }) => n === current) ?? files[0];
  if (file === undefined) return null;
  if (files.length === 1) return <FileReview {...props} file={file} />;
  return (
    <div class="files-pane" ref={place}>
      <FileList
        files={files}
        current={file.n}
        comments={props.comments}
        viewed={viewed}
        countsViewed={props.canComment}
        onSelect={(n) => {
          setCurrent(n);
          place.current?.querySelector(".file-header")?.scrollIntoView({ block: "nearest" });
        }}
        onViewed={(one, isViewed) => {
          const next = markViewed(viewed, one, isViewed);
          show(next);
          keepViewed(marks, props.questionId, next);
        }}
      />
      <FileReview {...props} file={file} />
    </div>
  );
}
