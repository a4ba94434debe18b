/** A report in words: the same ones in the terminal, in a message and in the inbox. Pure. */
import { titledQuestion } from "./breakpoint-question.js";
import {
  type CostTotal,
  isFinishedWell,
  isLeftAlone,
  OUTCOMES,
  type Report,
  type ReportTotals,
  type RunOutcome,
  type RunReport,
  rowsOf,
  type TurnedRun,
  type WaitingFor,
} from "./report.js";
import { shellQuoted } from "./shell-quoted.js";
import { counted, shownCount, shownDuration, shownTime, shownUsd } from "./shown-amounts.js";
import { shownLine } from "./shown-text.js";

/** The word for each outcome. */
export const OUTCOME_WORDS: Readonly<Record<RunOutcome, string>> = {
  failed: "failed",
  blocked: "blocked",
  you: "waiting for you",
  other: "open",
  verified: "verified",
  proof: "proof",
  claim: "claim",
  cancelled: "cancelled",
};

/** What a finished run rests on, for people who do not know the words. */
export const PROOF_WORDS = {
  verified: "checked by the engine",
  proof: "the process returned",
  claim: "the agent's word only",
} as const;

/** `3 failed, 1 waiting for you, 4 finished (3 proof, 1 claim)`: what there is none of is left out. */
export function countWords(outcomes: ReportTotals["outcomes"]): string {
  const well = OUTCOMES.filter((outcome) => isFinishedWell(outcome) && outcomes[outcome] > 0);
  const finished = well.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  const [only = "proof", ...others] = well;
  const kinds =
    others.length === 0
      ? OUTCOME_WORDS[only]
      : well.map((outcome) => `${outcomes[outcome]} ${OUTCOME_WORDS[outcome]}`).join(", ");
  const count = (outcome: RunOutcome): string[] =>
    outcomes[outcome] === 0 ? [] : [`${outcomes[outcome]} ${OUTCOME_WORDS[outcome]}`];
  return [
    ...(["failed", "blocked", "you", "other"] as const).flatMap(count),
    ...(finished === 0 ? [] : [`${finished} finished (${kinds})`]),
    ...count("cancelled"),
  ].join(", ");
}

/** True when there is nothing that anybody has to look at. */
export function isQuiet(report: Report): boolean {
  const { totals, unreadable } = report;
  const { failed, blocked, you } = totals.outcomes;
  const isFine = failed + blocked + you + totals.failedTurns === 0 && unreadable === undefined;
  return isFine && !rowsOf(report).some(isLeftAlone);
}

/** What a run cost, in the same words wherever it is shown. */
export function costOfRow({ cost }: RunReport): string | undefined {
  if (cost === undefined) return undefined;
  if (cost.usd === null) return "cost not known";
  const isPart = cost.unknownTurns !== undefined || cost.unknownTasks !== undefined;
  return `${isPart ? "at least " : ""}${shownUsd(cost.usd)}`;
}

/** What all runs cost together, and how much of that is not known. */
export function costTotalWords({ usd, tokens, knownRuns, unknownRuns, unknownTurns }: CostTotal): string {
  const amount = [
    ...(usd === null ? [] : [shownUsd(usd)]),
    ...(tokens === null ? [] : [`${shownCount(tokens)} tokens`]),
  ].join(", ");
  if (unknownRuns === 0) return amount === "" ? "no agent worked" : `${amount} in ${counted(knownRuns, "run")}`;
  const turns = unknownTurns === 0 ? "" : ` (${counted(unknownTurns, "turn")})`;
  const unknown = `unknown: ${counted(unknownRuns, "run")}${turns}`;
  return amount === "" ? unknown : `at least ${amount}; ${unknown}`;
}

/** Two numbers only where they differ: several runs may have waited at once. */
export function waitWords({ humanMs, humanWallMs }: Pick<ReportTotals, "humanMs" | "humanWallMs">): string {
  if (humanMs === 0) return "never";
  const all = shownDuration(humanMs);
  return humanMs === humanWallMs ? all : `${all} over all runs, ${shownDuration(humanWallMs)} without overlaps`;
}

function money({ usd, unknownRuns }: CostTotal): string {
  if (usd === null) return unknownRuns === 0 ? "none" : "not known";
  return `${unknownRuns === 0 ? "" : "at least "}${shownUsd(usd)}`;
}

/** What both times have a number for, in the order in which it matters. */
const COMPARED: readonly { name: string; of: (totals: ReportTotals) => string }[] = [
  { name: "failed", of: ({ outcomes }) => String(outcomes.failed) },
  { name: "blocked", of: ({ outcomes }) => String(outcomes.blocked) },
  { name: "waiting for you", of: ({ outcomes }) => String(outcomes.you) },
  { name: "finished", of: ({ outcomes }) => String(outcomes.verified + outcomes.proof + outcomes.claim) },
  { name: "by claim only", of: ({ outcomes }) => String(outcomes.claim) },
  { name: "cost", of: ({ cost }) => money(cost) },
  { name: "waited", of: ({ humanMs }) => (humanMs === 0 ? "none" : shownDuration(humanMs)) },
];

/** What is different from the time before, such as `failed 3 (was 1)`; empty when nothing is. */
export function changeWords({ totals, against: { totals: before } }: Report): string[] {
  return COMPARED.filter(({ of }) => of(totals) !== of(before)).map(
    ({ name, of }) => `${name} ${of(totals)} (was ${of(before)})`,
  );
}

/** A run whose outcome is another one than last time. */
export function turnedWords({ runId, was, is, before }: TurnedRun): string {
  return `${runId}: ${OUTCOME_WORDS[was]}${before === undefined ? "" : ` in ${before}`}, now ${OUTCOME_WORDS[is]}`;
}

const WHO: Readonly<Record<WaitingFor["who"], string>> = {
  human: "you",
  agent: "an agent",
  time: "sleeping until",
  executor: "an executor",
};

/** What an open run waits for. */
export function waitingWords(row: RunReport, longest: number): string {
  const { waiting = [], state, outcome, why } = row;
  const asked = waiting.find(({ who }) => who === "human");
  if (outcome === "you")
    return asked === undefined ? shownLine(`paused: ${why ?? ""}`, longest) : awaited(row, asked, longest);
  if (state === "paused") return shownLine(`paused by a person${why === undefined ? "" : `: ${why}`}`, longest);
  const [first] = waiting;
  return first === undefined ? idleWords(row) : `${WHO[first.who]}: ${awaited(row, first, longest)}`;
}

function awaited({ waiting = [] }: RunReport, { who, what, title = what }: WaitingFor, longest: number): string {
  const more = waiting.length === 1 ? "" : ` (and ${waiting.length - 1} more)`;
  return `${who === "time" ? shownTime(what) : shownLine(titledQuestion({ question: what, title }), longest)}${more}`;
}

function idleWords({ state, driven, title }: RunReport): string {
  if (driven === true) return title === undefined ? "at work" : `an agent: ${shownLine(title, 60)}`;
  return state === "created" ? "not started" : "nobody drives it";
}

/** What was given up, and why. */
export function cancelledWords({ title, processId, why }: RunReport, longest: number): string {
  const what = title ?? (why === undefined ? processId : undefined);
  return shownLine([what, why].filter((part) => part !== undefined).join(": "), longest);
}

/** A command about a run. Whoever reads about several projects need not be in this one. */
export function commandFor(
  { runId, project, runDir }: Pick<RunReport, "runId" | "project" | "runDir">,
  command: string,
  subject = runId,
): string {
  const where = project === undefined ? "" : ` --runs-dir ${shellQuoted(runDir.slice(0, -runId.length - 1))}`;
  return `babysitter ${command} ${subject}${where}`;
}

/** The command that shows more about a run: a loop has a report of its own. */
export function lookCommand(row: RunReport): string {
  return commandFor(row, row.title === undefined ? "run:status" : "run:report");
}
