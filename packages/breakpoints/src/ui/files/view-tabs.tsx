import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { FileView } from "./file-views.js";

const NAMES: Record<FileView, string> = { difference: "Diff", file: "File", rendered: "Preview", log: "Log" };

export interface ViewTabsProps {
  id: string;
  views: readonly FileView[];
  view: FileView;
  onView: (view: FileView) => void;
}

/** Ways to look at one file. Arrow keys move between them. */
export function ViewTabs({ id, views, view, onView }: ViewTabsProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    const next = (views.indexOf(view) + by + views.length) % views.length;
    onView(views[next] ?? view);
    list.current?.querySelectorAll("button")[next]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="view-tabs" role="tablist" aria-label="How the file is shown" ref={list} onKeyDown={onKeyDown}>
      {views.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          class="view-tab"
          id={`${id}-tab-${one}`}
          aria-controls={`${id}-panel`}
          aria-selected={one === view}
          tabIndex={one === view ? 0 : -1}
          onClick={() => onView(one)}
        >
          {NAMES[one]}
        </button>
      ))}
    </div>
  );
}
