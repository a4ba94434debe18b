/** Loops of other tools, taken over. What their files say about success is what an agent wrote: a claim. */
import { defined } from "../../model/json.js";
import type { ClaimCriterion, LoopShape, StepSpec } from "../../model/loop-contract.js";
import { shownLine } from "../../model/shown-text.js";
import { idGiver, type Problem } from "../rules/criterion-text.js";
import { type JsonFields, parseFields } from "./json-fields.js";

export interface ImportedLoop {
  /** The prompt, byte for byte. */
  goal: string;
  /** Nothing in such a file is a command that anyone should run. */
  criteria: ClaimCriterion[];
  /** Ids of criteria that the file says are met, and whether it says that all is done. They end nothing. */
  claimedMet: string[];
  claimedDone: boolean;
  steps: StepSpec[];
  doneSteps: string[];
  /** From 1 on. */
  iteration: number;
  shape?: LoopShape;
  iterations?: number;
  usd?: number;
  /** What another tool knew about it, and what it had cost there. */
  id?: string;
  startedAt?: string;
  spentUsd?: number;
}

/** Reads `.loop/state.json`. */
export function importLoopStateFile(text: string): ImportedLoop | Problem {
  const fields = parseFields(text, "The loop state file");
  if ("hint" in fields) return fields;
  const spec = fields.text("spec");
  const claims = [...new Set(fields.texts("criteria"))].filter((claim) => claim.trim() !== "");
  const status = fields.object("criteriaStatus");
  const idFor = idGiver();
  const criteria = claims.map((claim): ClaimCriterion => ({ kind: "claim", id: idFor(claim), text: claim }));
  const loop: ImportedLoop = {
    goal: spec,
    criteria,
    claimedMet: criteria.filter((claim) => status.flag(claim.text)).map(({ id }) => id),
    claimedDone: fields.flag("exit_signal"),
    ...stepsIn(fields.texts("steps"), fields.texts("completedSteps"), fields.texts("remainingSteps")),
    iteration: Math.max(1, fields.amount("iteration")),
  };
  return problemWith(fields, loop, "spec", ["in_progress"]) ?? loop;
}

/** Reads the record of a task. */
export function importTaskRecord(text: string): ImportedLoop | Problem {
  const fields = parseFields(text, "The task record");
  if ("hint" in fields) return fields;
  const metadata = fields.object("metadata");
  const description = fields.text("description");
  const subject = fields.text("subject").replace(/^Complete: /, "");
  const shapeWord = metadata.text("shape");
  const shape: LoopShape | undefined = shapeWord === "tool" || shapeWord === "colleague" ? shapeWord : undefined;
  const loop: ImportedLoop = {
    goal: description.trim() === "" ? subject : description,
    criteria: [],
    claimedMet: [],
    claimedDone: false,
    ...stepsIn([], metadata.texts("completedSteps"), metadata.texts("remainingSteps")),
    iteration: Math.max(1, metadata.amount("iteration")),
    ...defined({
      shape,
      iterations: metadata.has("maxIterations") ? metadata.amount("maxIterations") : undefined,
      usd: metadata.has("budget") ? metadata.amount("budget", "any") || undefined : undefined,
      id: fields.text("id") || undefined,
      startedAt: timeIn(metadata, "startedAt"),
      spentUsd: metadata.amount("cost", "any") || undefined,
    }),
  };
  const wrong = problemWith(fields, loop, "description", ["in_progress", "pending"]);
  if (wrong !== undefined) return wrong;
  if (shapeWord === "" || shape !== undefined) return loop;
  return refusal(`"metadata.shape" must be tool or colleague, not ${shownLine(shapeWord, 40)}.`);
}

/** What is no time says nothing about when it began. */
function timeIn(fields: JsonFields, name: string): string | undefined {
  const text = fields.text(name);
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}

function problemWith(
  fields: JsonFields,
  { goal }: ImportedLoop,
  goalField: string,
  open: string[],
): Problem | undefined {
  const status = fields.text("status");
  const problem = fields.problem();
  if (problem !== undefined) return refusal(problem);
  if (status !== "" && !open.includes(status)) {
    const isOver = ["completed", "cancelled", "deleted"].includes(status);
    return isOver
      ? refusal(`The loop is ${status}.`, "Only an active loop can be imported. Start a new one.")
      : refusal(`"status" must be ${open.join(" or ")}, not ${shownLine(status, 40)}.`);
  }
  return goal.trim() === "" ? refusal(`"${goalField}" is missing or empty.`) : undefined;
}

function refusal(problem: string, hint = "Nothing was changed. Fix the file, or start a new loop."): Problem {
  return { problem, hint };
}

/**
 * The steps of a file that lists them up to three times. One that is both done and not done is not done; steps of the
 * same title are told apart by their number.
 */
function stepsIn(
  listed: readonly string[],
  completed: readonly string[],
  remaining: readonly string[],
): Pick<ImportedLoop, "steps" | "doneSteps"> {
  const counts = { listed: counted(listed), completed: counted(completed), remaining: counted(remaining) };
  const idFor = idGiver();
  const placed = new Map<string, number>();
  const steps: StepSpec[] = [];
  const doneSteps: string[] = [];
  for (const title of [...listed, ...completed, ...remaining]) {
    const total = Math.max(
      countOf(counts.listed, title),
      countOf(counts.completed, title),
      countOf(counts.remaining, title),
    );
    const at = countOf(placed, title);
    if (title.trim() === "" || at >= total) continue;
    placed.set(title, at + 1);
    const step = { id: idFor(title), title };
    steps.push(step);
    if (at < Math.min(countOf(counts.completed, title), total - countOf(counts.remaining, title)))
      doneSteps.push(step.id);
  }
  return { steps, doneSteps };
}

function countOf(counts: ReadonlyMap<string, number>, title: string): number {
  return counts.get(title) ?? 0;
}

function counted(titles: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1);
  return counts;
}
