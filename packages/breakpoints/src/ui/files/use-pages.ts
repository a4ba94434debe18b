import { useEffect, useMemo, useState } from "preact/hooks";
import type { FilePage } from "../../wire/inbox-wire.js";
import { addPage, emptyStore, type LineStore } from "./line-store.js";

/** A text that arrives page by page. */
export interface Pages {
  readonly store: LineStore;
  isLoading: boolean;
  problem: string | undefined;
  /** Loads one page more, or tries again. */
  more: () => void;
  /** Loads all that is left. */
  all: () => void;
}

/** Loads nothing until it is asked to; begins anew when `key` changes. */
export function usePages(key: string, load: (from: number) => Promise<FilePage>): Pages {
  const [, redraw] = useState({});
  const loader = useMemo(() => makeLoader(load, () => redraw({})), [key]);
  useEffect(() => loader.stop, [loader]);
  return loader.pages;
}

function makeLoader(
  load: (from: number) => Promise<FilePage>,
  changed: () => void,
): { pages: Pages; stop: () => void } {
  const wish = { all: false, stop: false };
  const store = emptyStore();
  const pages: Pages = {
    store,
    isLoading: false,
    problem: undefined,
    more: () => void run(),
    all: () => {
      wish.all = true;
      void run();
    },
  };
  const run = async (): Promise<void> => {
    if (pages.isLoading || store.next === null || wish.stop) return;
    pages.isLoading = true;
    pages.problem = undefined;
    changed();
    try {
      do {
        await loadNext(store, load);
        if (!wish.stop) changed();
      } while (wish.all && store.next !== null && !wish.stop);
    } catch (error) {
      pages.problem = error instanceof Error ? error.message : String(error);
      wish.all = false;
    }
    pages.isLoading = false;
    if (!wish.stop) changed();
  };
  return {
    pages,
    stop: () => {
      wish.stop = true;
    },
  };
}

async function loadNext(store: LineStore, load: (from: number) => Promise<FilePage>): Promise<void> {
  const from = store.next ?? 0;
  const page = await load(from);
  if (page.next !== null && page.next <= from) throw new Error("The rest of the file cannot be read.");
  addPage(store, page);
}
