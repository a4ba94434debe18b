import type { LoopReport } from "./loop-report.js";

/** Which iteration a loop is in, such as `3/50`. Before an agent has begun it is in none. */
export function iterationText(
  { iteration, limits, sessions }: Pick<LoopReport, "iteration" | "limits" | "sessions">,
  of: string,
): string {
  const limit = limits.iterations > 0 ? `${of}${limits.iterations}` : "";
  return sessions.length === 0 && iteration <= 1 ? `0${limit}, no agent has started` : `${iteration}${limit}`;
}
