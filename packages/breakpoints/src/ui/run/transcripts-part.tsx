/** What the agents of a run have said and done. */
import type { RunData } from "./run-data.js";

export function TranscriptsPart({ data }: { data: RunData }) {
  return <p class="quiet">{data.detail.value?.id}</p>;
}
