/** Places in an exported run, as the address of its file says them behind the hash. */
import { parseRoute, type RunPart, runAddress } from "./routes.js";

export interface HashPlace {
  part: RunPart;
  at: number | undefined;
  event: number | undefined;
}

/** Any run: in a file there is one. */
const RUN = "-";

export function placeIn(hash: string): HashPlace {
  const route = parseRoute(`/runs/${RUN}`, hash.replace(/^#/u, ""));
  return route.screen === "run"
    ? { part: route.part, at: route.at, event: route.event }
    : { part: "steps", at: undefined, event: undefined };
}

export function hashOf(place: Partial<HashPlace>): string {
  return `#${runAddress(RUN, place).split("?")[1] ?? ""}`;
}
