/** What can be done with the picture. */
import type { Fall } from "./use-fall.js";
import { ALL, isAll, ZOOM, zoomed } from "./zoom.js";

export function FallTools({ fall }: { fall: Fall }) {
  const { view, mode, isFolded } = fall;
  const zoom = (factor: number): void => fall.setView(zoomed(view, (view.from + view.to) / 2, factor));
  return (
    <div class="fall-tools">
      <button
        type="button"
        class="button"
        aria-pressed={mode === "lanes"}
        title="Steps that do not overlap share a row"
        onClick={() => fall.setMode(mode === "lanes" ? "steps" : "lanes")}
      >
        Compact
      </button>
      <button
        type="button"
        class="button"
        aria-pressed={isFolded}
        title="Long times without work take little space"
        onClick={() => fall.setFolded(!isFolded)}
      >
        Shorten waits
      </button>
      <span class="fall-zoom" role="group" aria-label="Zoom">
        <button type="button" class="button" data-size="icon" aria-label="Zoom in" onClick={() => zoom(ZOOM)}>
          +
        </button>
        <button
          type="button"
          class="button"
          data-size="icon"
          aria-label="Zoom out"
          disabled={isAll(view)}
          onClick={() => zoom(1 / ZOOM)}
        >
          −
        </button>
        <button type="button" class="button" disabled={isAll(view)} onClick={() => fall.setView(ALL)}>
          All
        </button>
      </span>
    </div>
  );
}
