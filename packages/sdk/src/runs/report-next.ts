/** What a reader of a report could do, the most urgent first. Pure. */
import { titledQuestion } from "../model/breakpoint-question.js";
import { defined } from "../model/json.js";
import { liftingOption } from "../model/lifted-limits.js";
import { remedyOf } from "../model/pause-remedies.js";
import { type FailureCause, isLeftAlone, type NextStep, type RunReport } from "../model/report.js";
import { commandFor } from "../model/report-words.js";

/** Answers first, for work waits for them; then what failed, each cause once; then what stands still; then mere claims. */
export function nextSteps(rows: readonly RunReport[], causes: readonly FailureCause[]): NextStep[] {
  return [
    ...questions(rows),
    ...failures(rows, causes),
    ...rows.filter(isPaused).flatMap(resumptions),
    ...rows.filter(isLeftAlone).map((row) => driven(row, row.state === "created" ? "not started" : "nobody drives it")),
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
    .map(({ row, effect: { effectId, what, title = what } }) => ({
      ...step(row, "breakpoint:show", titledQuestion({ question: what, title }), effectId),
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

function driven(row: RunReport, about: string): NextStep {
  const { command, ...rest } = step(row, "run", about);
  return { ...rest, command: row.agent === undefined ? command : `${command} --agent ${row.agent}` };
}

/** Why it stands still is said once, with the first thing to do about it. */
function resumptions(row: RunReport): NextStep[] {
  const [about, paused] = [row.why ?? "paused", { code: row.pausedBy, lifted: row.limitLifted }];
  const { amend, resume } = remedyOf(paused) ?? {};
  if (amend === undefined) return [resumption(row, resume === undefined ? about : `${resume}: ${about}`)];
  const { command, ...rest } = step(row, "loop:amend", about);
  return [{ ...rest, command: `${command} ${amend.options}` }, resumption(row, resume ?? about)];
}

function resumption(row: RunReport, about: string): NextStep {
  if (row.agent !== undefined) return driven(row, about);
  const { command, ...rest } = step(row, "loop:resume", about);
  return { ...rest, command: `${command}${liftingOption({ code: row.pausedBy, lifted: row.limitLifted })}` };
}

/** It stopped by itself, and goes on when someone says so. */
function isPaused({ outcome, waiting = [] }: RunReport): boolean {
  return outcome === "you" && !waiting.some(({ who }) => who === "human");
}

function step(row: RunReport, command: string, about: string, subject?: string): NextStep {
  const { runId, project } = row;
  return { command: commandFor(row, command, subject), about, run: { runId, ...defined({ project }) } };
}
