import type { CriterionChecked } from "../../model/loop-events.js";
import { shownLine } from "../../model/shown-text.js";

/** What came of a check, in words. */
export function outcomeWords({ kind, outcome, exitCode, signal }: CriterionChecked): string {
  if (outcome === "timed-out") return "it took too long and was ended";
  if (outcome === "not-started") return "it could not be started";
  if (kind === "file") return outcome === "met" ? "it is as it has to be" : "it is not there, or not as it has to be";
  return exitCode === null ? `ended by ${shownLine(signal ?? "a signal", 40)}` : `exit code ${exitCode}`;
}
