import type { FoundLoop } from "../../loop-runs/find-loop.js";
import type { HostAnswer } from "../host.js";

/** What the user needs to know when the run cannot be used. */
export function unusableLoop({ standing, aside }: FoundLoop): HostAnswer {
  if (standing.kind === "corrupt")
    return {
      message: `⚠️  Babysitter run: State file corrupted\n   Problem: ${standing.problem}\n   Moved aside to: ${aside ?? "nowhere, the file is gone"}`,
    };
  if (standing.kind === "run-unknown")
    return {
      message: `⚠️  Babysitter run: the run ${standing.runId} of this session cannot be used: ${standing.problem}`,
    };
  return {};
}
