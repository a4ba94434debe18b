/** One file of a question: how it differs, what it says, and what people say about its lines. */
import type { VNode } from "preact";
import { useEffect, useId, useMemo, useState } from "preact/hooks";
import type { Comparison } from "../../wire/inbox-wire.js";
import "../styles/files.css";
import { changeCount } from "./code-rows.js";
import { DifferencePanel } from "./difference-panel.js";
import { FileComments } from "./file-comments.js";
import { FileHeader } from "./file-header.js";
import { FileNotes, RefusedFile } from "./file-notes.js";
import { COMPARED_BYTES, comparable, type FileView, firstView, mayDiffer, nameOf, viewsOf } from "./file-views.js";
import { RenderedPanel } from "./rendered-panel.js";
import type { FileReviewProps } from "./review-props.js";
import { TextPanel } from "./text-panel.js";
import { type Difference, hasChanges, useDifference } from "./use-difference.js";
import { type LineComments, useLineComments } from "./use-line-comments.js";
import { type Pages, usePages } from "./use-pages.js";
import { useWrapping } from "./use-wrapping.js";
import { ViewTabs } from "./view-tabs.js";

/** Another file, or another text of the same one, begins anew. */
export function FileReview(props: FileReviewProps): VNode {
  const { questionId, file } = props;
  return <OneFile key={`${questionId} ${file.n} ${file.sha256 ?? ""}`} {...props} />;
}

/** Everything that the panels of a file share. */
export interface FileWork {
  props: FileReviewProps;
  view: FileView;
  file: Pages;
  base: Pages;
  against: Comparison | undefined;
  difference: Difference;
  comments: LineComments;
  wraps: boolean;
}

function OneFile(props: FileReviewProps): VNode {
  const { file } = props;
  const id = useId();
  const [side, setSide] = useState(comparable(file)[0]?.side);
  const [isForced, setForced] = useState(false);
  const { view, views, onView, ...work } = useFileWork(props, { side, isForced });
  const [wraps, setWraps] = useWrapping(view);
  const all: FileWork = { ...work, props, view: view ?? "file", wraps };
  const { difference } = work;
  return (
    <section class="file-review" aria-label={file.path}>
      <FileHeader
        file={file}
        changes={difference.state === "ready" ? changeCount(difference.runs) : undefined}
        commentCount={props.comments.filter(({ path }) => path === file.path).length}
      />
      <FileNotes file={file} />
      {view === undefined ? (
        <RefusedFile file={file} />
      ) : (
        <>
          <div class="file-tools">
            <ViewTabs id={id} views={views} view={view} onView={onView} />
            {view === "difference" && <AgainstChoice choices={comparable(file)} side={side} onSide={setSide} />}
            {view !== "rendered" && (
              <label class="wrap-choice">
                <input type="checkbox" checked={wraps} onChange={(event) => setWraps(event.currentTarget.checked)} />
                Wrap lines
              </label>
            )}
            {props.tools}
          </div>
          <div class="file-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${view}`}>
            <Panel work={all} onForce={() => setForced(true)} onView={onView} />
          </div>
        </>
      )}
      <FileComments work={all} onView={onView} hasLines={view !== undefined} />
    </section>
  );
}

interface Choices {
  side: Comparison["side"] | undefined;
  isForced: boolean;
}

interface ViewChoice extends Omit<FileWork, "props" | "view" | "wraps"> {
  views: FileView[];
  /** Nothing when there is no text at all. */
  view: FileView | undefined;
  onView: (view: FileView) => void;
}

/** As much as tells what kind of text it is. */
const FIRST_LINES = 500;

/** Loads what the view needs, and picks the first view when it is known what there is to see. */
function useFileWork(props: FileReviewProps, { side, isForced }: Choices): ViewChoice {
  const { file, loadPage } = props;
  const [chosen, setChosen] = useState<FileView>();
  const filePages = usePages("file", (from) => loadPage(file.n, "file", from));
  const basePages = usePages(side ?? "none", (from) => loadPage(file.n, side ?? "base", from));
  const against = comparable(file).find((comparison) => comparison.side === side);
  const { lines } = filePages.store;
  const start = useMemo(() => lines.slice(0, FIRST_LINES).join("\n"), [lines, Math.min(lines.length, FIRST_LINES)]);
  const isSmall = Math.max(file.bytes ?? 0, against?.bytes ?? 0) <= COMPARED_BYTES;
  const compares =
    (chosen ?? firstView(file, start, undefined)) === "difference" && mayDiffer(against) && (isSmall || isForced);
  const isThere = file.refused === undefined;
  const difference = useDifference(compares ? basePages : undefined, isThere ? filePages : undefined);
  const view = chosen ?? firstView(file, start, hasChanges(difference, against));
  useEffect(() => {
    if (isThere) filePages.more();
  }, [filePages]);
  useEffect(() => {
    if (!compares) return;
    basePages.all();
    if (isThere) filePages.all();
  }, [compares, basePages, filePages]);
  return {
    view,
    views: viewsOf(file, start),
    onView: setChosen,
    file: filePages,
    base: basePages,
    against,
    difference,
    comments: useLineComments(props),
  };
}

interface PanelProps {
  work: FileWork;
  onForce: () => void;
  onView: (view: FileView) => void;
}

function Panel({ work, onForce, onView }: PanelProps): VNode {
  if (work.view === "difference")
    return <DifferencePanel work={work} onForce={onForce} onFile={() => onView("file")} />;
  if (work.view === "rendered") return <RenderedPanel pages={work.file} />;
  return <TextPanel key={work.view} work={work} />;
}

interface AgainstChoiceProps {
  choices: readonly Comparison[];
  side: Comparison["side"] | undefined;
  onSide: (side: Comparison["side"]) => void;
}

/** What the file is compared with. */
function AgainstChoice({ choices, side, onSide }: AgainstChoiceProps): VNode {
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return <span class="against">Against {nameOf(only)}</span>;
  return (
    <label class="against">
      Against{" "}
      <select value={side} onChange={(event) => onSide(event.currentTarget.value === "base" ? "base" : "approved")}>
        {choices.map((choice) => (
          <option key={choice.side} value={choice.side}>
            {nameOf(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}
