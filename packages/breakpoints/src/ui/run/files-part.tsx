/** What the run has left behind. */
import type { RunData } from "./run-data.js";

export function FilesPart({ data }: { data: RunData }) {
  return <p class="quiet">{data.detail.value?.id}</p>;
}
