/** Cost and tokens per turn. */
import type { RunData } from "./run-data.js";

export function CostPlot({ data }: { data: RunData }) {
  return <p class="quiet">{data.detail.value?.loop?.spend?.tokens}</p>;
}
