/** What the steps have printed. */
import type { RunData } from "./run-data.js";

export function LogsPart({ data }: { data: RunData }) {
  return <p class="quiet">{data.detail.value?.id}</p>;
}
