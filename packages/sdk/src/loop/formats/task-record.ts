/** The record of a task as other tools keep it: a view of a loop, rebuilt on demand. */

import type { ErrorClass } from "../../model/loop-events.js";
import type { LoopState } from "../../model/loop-state.js";
import { shownLine } from "../../model/shown-text.js";
import { traitsOf } from "../rules/criterion-kinds.js";
import { beganAt, goalCriteria, type LoopNow, remainingSteps } from "../rules/loop-now.js";

export interface TaskRecord {
  /** Of the task it was taken over from, if it was; otherwise of the run. */
  id: string;
  subject: string;
  /** The prompt, byte for byte, and behind it the success criteria. */
  description: string;
  status: "in_progress" | "completed" | "cancelled";
  metadata: {
    iteration: number;
    /** US dollars at list prices; null when nobody knows. */
    cost: number | null;
    shape: string;
    budget: number | null;
    /** 0: no limit. */
    maxIterations: number;
    startedAt: string;
    lastCheckpoint: string;
    completedSteps: string[];
    remainingSteps: string[];
    errors: { step: string; class: ErrorClass; note?: string; at: string }[];
  };
}

export function taskRecord(state: LoopState, goal: string, now: LoopNow & { runId: string }): TaskRecord {
  const { contract, steps } = state;
  return {
    id: contract.origin?.id ?? now.runId,
    subject: `Complete: ${shownLine(contract.title)}`,
    description: describe(state, goal),
    status: statusOf(state, now),
    metadata: {
      iteration: state.iteration,
      cost: state.spend === undefined ? (contract.origin?.usd ?? null) : state.spend.usd,
      shape: contract.shape,
      budget: contract.limits.usd ?? null,
      maxIterations: contract.limits.iterations,
      startedAt: beganAt(state),
      lastCheckpoint: state.lastIterationAt,
      completedSteps: steps.filter(({ status }) => status === "done").map(({ title }) => title),
      remainingSteps: remainingSteps(state).map(({ title }) => title),
      errors: steps.flatMap(({ title, errors }) =>
        errors.map(({ errorClass, note, at }) => ({
          step: title,
          class: errorClass,
          ...(note === undefined ? {} : { note }),
          at,
        })),
      ),
    },
  };
}

export function renderTaskRecord(record: TaskRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function describe(state: LoopState, goal: string): string {
  const criteria = goalCriteria(state).map((criterion) => `- ${shownLine(traitsOf(criterion).label, 500)}`);
  return criteria.length === 0 ? goal : [`${goal}\n`, "Success criteria:", ...criteria].join("\n");
}

function statusOf(state: LoopState, { cancelled }: LoopNow): TaskRecord["status"] {
  if (state.ended !== undefined) return "completed";
  return cancelled === undefined ? "in_progress" : "cancelled";
}
