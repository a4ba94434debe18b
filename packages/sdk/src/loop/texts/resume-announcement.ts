/** What a session that returns to an open loop reads first. Tools look for exactly these lines. */
import type { LoopState } from "../../model/loop-state.js";
import { shownLine } from "../../model/shown-text.js";
import { isOpen, type LoopNow, nextAction, unmetLabels } from "../rules/loop-now.js";
import { shownGoal } from "./resume-text.js";

const SPEC_LENGTH = 120;
const LABEL_LENGTH = 60;
const SHOWN_LABELS = 8;

/** Empty when there is nothing to resume. */
export function resumeAnnouncement(state: LoopState, goal: string, now: LoopNow = {}): string {
  if (!isOpen(state, now)) return "";
  const { steps, paused, iteration } = state;
  const done = steps.filter(({ status }) => status === "done").length;
  return [
    `[LOOP RESUME] ${paused === undefined ? "Active" : "Paused"} loop detected`,
    `Spec: ${shownLine(shownGoal(state.contract, goal), SPEC_LENGTH)}`,
    steps.length === 0
      ? `Iteration: ${iteration}`
      : `Progress: ${done}/${steps.length} steps | Iteration: ${iteration}`,
    `Unmet criteria: ${listed(unmetLabels(state, now))}`,
    `Next: ${nextAction(state, now)}`,
  ].join("\n");
}

function listed(labels: readonly string[]): string {
  if (labels.length === 0) return "none";
  const shown = labels.slice(0, SHOWN_LABELS).map((label) => shownLine(label, LABEL_LENGTH));
  const more = labels.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
