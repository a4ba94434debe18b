/** How old a page is, while it hears nothing new. */
import type { ReadonlySignal } from "@preact/signals";
import { isLive } from "../api/connection.js";
import { Clock } from "../parts/age.js";

interface Heard {
  /** When the server last said something about it; empty until it has. */
  heardAt: ReadonlySignal<string>;
  problem: ReadonlySignal<unknown>;
}

/** Of several parts the oldest counts. */
export function LastUpdate({ of }: { of: readonly Heard[] }) {
  const [oldest = ""] = of.map(({ heardAt }) => heardAt.value).toSorted();
  const isCurrent = isLive.value && of.every(({ problem }) => problem.value === undefined);
  if (isCurrent || oldest === "") return null;
  return (
    <span class="mark small" data-tone="needs">
      Last updated <Clock at={oldest} />
    </span>
  );
}
