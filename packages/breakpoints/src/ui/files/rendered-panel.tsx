import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Markdown } from "../text/markdown.js";
import { RENDERED_BYTES, sizeOf } from "./file-views.js";
import { LoadState } from "./load-state.js";
import { Note } from "./note.js";
import type { Pages } from "./use-pages.js";

/** Markdown as its writer meant it to look. */
export function RenderedPanel({ pages }: { pages: Pages }): VNode {
  const { store } = pages;
  const isTooLarge = store.bytes > RENDERED_BYTES;
  useEffect(() => {
    if (!isTooLarge && store.loaded > 0) pages.all();
  }, [pages, isTooLarge, store.loaded]);
  if (isTooLarge)
    return (
      <Note tone="quiet" word="Too large to render.">
        Files up to {sizeOf(RENDERED_BYTES)} are rendered; this one has {sizeOf(store.bytes)}. Read its text under
        “File”.
      </Note>
    );
  if (store.next !== null || store.lines.length === 0) return <LoadState pages={pages} isEmpty={store.next === null} />;
  return (
    <div class="rendered">
      <Markdown text={store.lines.join("\n")} />
    </div>
  );
}
