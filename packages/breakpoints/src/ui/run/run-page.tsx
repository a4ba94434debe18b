/** A run: where it stands, how it got there, and what it has left behind. */
import type { RunPart } from "../model/routes.js";
import type { RunData } from "./run-data.js";

export interface RunPageProps {
  data: RunData;
  part: RunPart;
  /** Shows another part, or the run after another event. */
  onGo: (place: { part?: RunPart; at?: number | undefined }) => void;
}

export function RunPage({ data }: RunPageProps) {
  return <h1>{data.detail.value?.id}</h1>;
}
