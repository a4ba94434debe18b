import { createHash } from "node:crypto";

/** Where a run is: the folder that it lies in, and its name. */
export interface RunKey {
  place: string;
  run: string;
}

/** Tells runs of the same name apart. */
export function placeHash({ place, run }: RunKey): string {
  return createHash("sha256").update(`${place}\0${run}`).digest("hex").slice(0, 8);
}
