import { decideGuard } from "../../loop/rules/decide.js";
import type { FoundLoop } from "../../loop-runs/find-loop.js";
import { shownLine } from "../../model/shown-text.js";
import { logHookProblem } from "../../sessions/hook-log.js";
import type { HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";

/** What the user needs to know when the run cannot be used. */
export function unusableLoop(call: HostHookCall, { standing, aside }: FoundLoop): HostAnswer {
  if (standing.kind === "corrupt")
    return {
      message: `⚠️  Babysitter run: State file corrupted\n   Problem: ${shownLine(standing.problem, 500)}\n   Moved aside to: ${aside ?? "nowhere, the file is gone"}`,
    };
  if (standing.kind !== "run-unknown") return {};
  const { places, event, sessionId, input } = call;
  const { code = "" } = decideGuard(input, standing) ?? {};
  const message = `the run ${standing.runId} of this session cannot be used (${code}): ${shownLine(standing.problem, 500)}`;
  // There is no journal that could record it.
  logHookProblem(places.home, { at: new Date().toISOString(), hookType: event, sessionId, code, message, told: true });
  return { message: `⚠️  Babysitter run: ${message}` };
}
