/** What a reader of a report could do, the most urgent first. Pure. */
import { defined } from "../model/json.js";
import type { FailureCause, NextStep, RunReport } from "../model/report.js";
import { commandFor } from "../model/report-words.js";

/** Answers first, for work waits for them; then what failed, each cause once; then what stands still; then mere claims. */
export function nextSteps(rows: readonly RunReport[], causes: readonly FailureCause[]): NextStep[] {
  return [
    ...questions(rows),
    ...failures(rows, causes),
    ...rows.filter(isPaused).map((row) => step(row, "loop:resume", row.why ?? "paused")),
    ...rows.filter(isLeftAlone).map((row) => step(row, "run", `${row.state}, needs no input`)),
    ...rows
      .filter(({ outcome }) => outcome === "claim")
      .map((row) => step(row, "run:report", "finished by the agent's word only: check it")),
  ];
}

function questions(rows: readonly RunReport[]): NextStep[] {
  return rows
    .filter(({ waiting }) => waiting !== undefined)
    .flatMap((row) => (row.waiting ?? []).map((effect) => ({ row, effect })))
    .filter(({ effect }) => effect.who === "human")
    .toSorted((a, b) => a.effect.since.localeCompare(b.effect.since))
    .map(({ row, effect: { effectId, what } }) => ({
      ...step(row, "breakpoint:show", what, effectId),
      effectId,
    }));
}

function failures(rows: readonly RunReport[], causes: readonly FailureCause[]): NextStep[] {
  const newest = new Map<number, RunReport>();
  for (const row of rows) if (row.cause !== undefined) newest.set(row.cause, row);
  const told = causes.flatMap(({ what, runs }, n) => {
    const row = newest.get(n);
    const more = runs.length === 1 ? "" : ` (and ${runs.length - 1} more)`;
    return row === undefined ? [] : [step(row, "run:status", `${what}${more}`)];
  });
  return told;
}

/** It stopped by itself, and goes on when someone says so. */
function isPaused({ outcome, waiting = [] }: RunReport): boolean {
  return outcome === "you" && !waiting.some(({ who }) => who === "human");
}

/** It could go on, and nobody is at it. */
function isLeftAlone({ outcome, driven, state, title }: RunReport): boolean {
  return outcome === "other" && driven !== true && state !== "paused" && title === undefined;
}

function step(row: RunReport, command: string, about: string, subject?: string): NextStep {
  const { runId, project } = row;
  return { command: commandFor(row, command, subject), about, run: { runId, ...defined({ project }) } };
}
