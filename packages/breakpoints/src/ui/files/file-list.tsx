import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FileHead, QuestionComment } from "../../wire/inbox-wire.js";
import { Visible } from "../text/line-text.js";
import { comparable, isNew, sizeOf } from "./file-views.js";
import { isViewed } from "./viewed-files.js";

export interface FileListProps {
  files: readonly FileHead[];
  /** The `n` of the file that is shown. */
  current: number;
  comments: readonly QuestionComment[];
  viewed: ReadonlySet<string>;
  /** Somebody still has to look at them. */
  countsViewed: boolean;
  onSelect: (n: number) => void;
  onViewed: (file: FileHead, isViewed: boolean) => void;
}

/** The files of a question. The keys [ and ] move between them from anywhere on the page. */
export function FileList(props: FileListProps): VNode {
  const { files, current, viewed, countsViewed, onSelect } = props;
  const list = useRef<HTMLUListElement>(null);
  const at = files.findIndex(({ n }) => n === current);
  const move = (by: number): void => {
    const next = files[at + by];
    if (next !== undefined) onSelect(next.n);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // Many keyboards have these keys only with AltGr, which some systems report as Ctrl and Alt.
      const isCommand = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
      if (isCommand || isTyping(event.target)) return;
      if (event.key === "[") move(-1);
      if (event.key === "]") move(1);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
  useEffect(() => {
    showRow(list.current);
  }, [current]);
  const count = files.filter((file) => isViewed(viewed, file)).length;
  return (
    <nav class="file-list" aria-label="Files">
      <div class="file-list-head">
        <MoveButton word="Previous" sign="[" isPossible={at > 0} onMove={() => move(-1)} />
        <MoveButton word="Next" sign="]" isPossible={at < files.length - 1} onMove={() => move(1)} />
        {countsViewed && (
          <span>
            {count} of {files.length} viewed
          </span>
        )}
      </div>
      <ul class="file-list-rows" ref={list}>
        {files.map((file) => (
          <FileRow key={file.n} {...props} file={file} />
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls the list alone: the page stays where it is. */
function showRow(list: HTMLElement | null): void {
  const row = list?.querySelector("[aria-current]")?.getBoundingClientRect();
  if (list === null || row === undefined) return;
  const box = list.getBoundingClientRect();
  list.scrollTop += Math.min(0, row.top - box.top) + Math.max(0, row.bottom - box.bottom);
}

interface MoveButtonProps {
  word: string;
  sign: string;
  isPossible: boolean;
  onMove: () => void;
}

function MoveButton({ word, sign, isPossible, onMove }: MoveButtonProps): VNode {
  return (
    <button type="button" class="button" data-kind="quiet" disabled={!isPossible} onClick={onMove}>
      {word} <kbd>{sign}</kbd>
    </button>
  );
}

function FileRow(props: FileListProps & { file: FileHead }): VNode {
  const { file, current, comments, viewed, countsViewed, onSelect, onViewed } = props;
  const cut = file.path.lastIndexOf("/") + 1;
  const count = comments.filter(({ path }) => path === file.path).length;
  const isDone = countsViewed && isViewed(viewed, file);
  return (
    <li class={`file-row${isDone ? " is-viewed" : ""}`}>
      <button
        type="button"
        class="file-row-name"
        aria-current={file.n === current ? "true" : undefined}
        onClick={() => onSelect(file.n)}
      >
        <span class="file-row-title" dir="ltr">
          <Visible text={file.path.slice(cut)} />
        </span>
        <span class="file-row-facts">
          {factsOf(file, count).map(({ text, tone }) => (
            <span key={text} class={tone === undefined ? undefined : "mark"} data-tone={tone}>
              {text}
            </span>
          ))}
          {cut > 0 && (
            <span class="file-row-folder" dir="ltr">
              <Visible text={file.path.slice(0, cut - 1)} />
            </span>
          )}
        </span>
      </button>
      {countsViewed && (
        <label class="file-row-viewed">
          <input
            type="checkbox"
            checked={isDone}
            onChange={(event) => onViewed(file, event.currentTarget.checked)}
            aria-label={`Viewed: ${file.path}`}
          />
          <span aria-hidden="true">Viewed</span>
        </label>
      )}
    </li>
  );
}

function factsOf(file: FileHead, comments: number): { text: string; tone?: string }[] {
  const facts: { text: string; tone?: string }[] = [];
  if (file.refused === "missing")
    facts.push({ text: comparable(file).length > 0 ? "− Deleted" : "− Missing", tone: "bad" });
  else if (file.refused !== undefined) facts.push({ text: "Not shown", tone: "quiet" });
  else if (isNew(file)) facts.push({ text: "+ New", tone: "good" });
  else if (comparable(file).some(({ bytes }) => bytes !== file.bytes)) facts.push({ text: "± Changed", tone: "needs" });
  if (file.now !== undefined) facts.push({ text: "▲ Changed since asked", tone: "needs" });
  if (comments > 0) facts.push({ text: `${comments} ${comments === 1 ? "comment" : "comments"}` });
  if (file.bytes !== undefined && facts.length === 0) facts.push({ text: sizeOf(file.bytes) });
  return facts;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input:not([type='checkbox']), textarea, select") !== null;
}
