/** The criteria of a loop over time. */
import type { RunData } from "./run-data.js";

export function CriteriaPart({ data }: { data: RunData }) {
  return <p class="quiet">{data.detail.value?.id}</p>;
}
