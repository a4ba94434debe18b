import type { VNode } from "preact";
import type { CodeRow } from "./code-rows.js";

/** As many lines as one look takes in. */
const STEP = 20;

export interface GapRowProps {
  row: Extract<CodeRow, { kind: "gap" }>;
  onOpen: (from: number, to: number) => void;
}

/** Lines that have not changed, and ways to see them. */
export function GapRow({ row: { file, count }, onOpen }: GapRowProps): VNode {
  const last = file + count - 1;
  const isLong = count > 2 * STEP;
  return (
    <div class="code-gap">
      {isLong && (
        <button type="button" class="gap-button" onClick={() => onOpen(file, file + STEP - 1)}>
          ↓ {STEP} lines
        </button>
      )}
      <button type="button" class="gap-button" onClick={() => onOpen(file, last)}>
        Show {count.toLocaleString("en")} unchanged {count === 1 ? "line" : "lines"}
      </button>
      {isLong && (
        <button type="button" class="gap-button" onClick={() => onOpen(last - STEP + 1, last)}>
          ↑ {STEP} lines
        </button>
      )}
    </div>
  );
}
