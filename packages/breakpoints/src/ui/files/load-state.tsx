import type { VNode } from "preact";
import { sizeOf } from "./file-views.js";
import { Note, QuietButton } from "./note.js";
import type { Pages } from "./use-pages.js";

/** How much of a text is there, what went wrong with the rest, and how to get it. */
export function LoadState({ pages, isEmpty }: { pages: Pages; isEmpty: boolean }): VNode | null {
  const { store, problem, isLoading } = pages;
  if (isEmpty) return <p class="file-empty">The file is empty.</p>;
  if (problem !== undefined)
    return (
      <Note tone="bad" word="Not loaded." role="alert">
        {problem} <QuietButton onClick={pages.more}>Try again</QuietButton>
      </Note>
    );
  if (store.next === null) return null;
  if (store.lines.length === 0) return <p class="file-loading">Loading…</p>;
  return (
    <p class="file-rest">
      {sizeOf(store.loaded)} of {sizeOf(store.bytes)}{" "}
      <QuietButton disabled={isLoading} onClick={pages.all}>
        {isLoading ? "Loading…" : "Load the rest"}
      </QuietButton>
    </p>
  );
}
