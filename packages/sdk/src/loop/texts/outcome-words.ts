import type { CriterionChecked } from "../../model/loop-events.js";
import { shownLine } from "../../model/shown-text.js";

/** The outcome of a check, in words. */
export function outcomeWords({ kind, outcome, exitCode, signal }: CriterionChecked): string {
  if (outcome === "timed-out") return "timed out";
  if (outcome === "not-started") return "could not be started";
  if (kind === "file") return outcome === "met" ? "the file is as required" : "the file is missing or not as required";
  return exitCode === null ? `killed by ${shownLine(signal ?? "a signal", 40)}` : `exit code ${exitCode}`;
}
