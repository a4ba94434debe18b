/** The line that a person sees at the end of a turn while the loop continues: where it stands, in a few words. */
import type { Criterion } from "../../model/loop-contract.js";
import type { CriterionChecked } from "../../model/loop-events.js";
import { shownUsd } from "../../model/shown-amounts.js";
import { shownLine } from "../../model/shown-text.js";
import { requiredCriteria, resultOn, resultsOf } from "../rules/criteria-standing.js";
import { type Decision, nextIteration } from "../rules/decide.js";
import { idleTurns } from "../rules/decision-rules.js";
import type { Situation } from "../rules/situation.js";

const NAME_LENGTH = 40;
const MAX_NAMES = 4;

/** Such as `🔄 2/50, not met: tests (exit 1), $0.01 of $5`. */
export function progressLine(situation: Situation, decision: Decision): string {
  const parts = [
    outOf(situation, nextIteration(situation, decision)),
    ...runWords(situation),
    ...criteriaWords(situation, decision),
    ...stepWords(situation),
    ...warningWords(situation, decision),
    ...costWords(situation),
  ];
  return `🔄 ${parts.join(", ")}`;
}

export function outOf({ state }: Situation, iteration: number): string {
  const { iterations } = state.contract.limits;
  return iterations > 0 ? `${iteration}/${iterations}` : `${iteration}`;
}

function runWords({ run }: Situation): string[] {
  if (!run.hasProcess) return [];
  if (run.state === "completed") return ["the run has completed, its proof is missing"];
  if (run.state === "failed") return ["the run has failed"];
  if (run.state === "blocked") return ["the run is blocked"];
  return run.pendingKinds.length === 0 ? [] : [`waiting for: ${run.pendingKinds.join(", ")}`];
}

/** What is not met. A result for an older tree says so: the agent may have fixed it since. */
function criteriaWords({ state, probes: { tree } }: Situation, { code }: Decision): string[] {
  const open = requiredCriteria(state.contract.criteria).map((criterion) => {
    const results = resultsOf(state, criterion.id);
    return { criterion, now: resultOn(results, tree), newest: results.at(-1) };
  });
  if (open.length > 0 && open.every(({ now }) => now?.ok === true)) return ["every criterion is met"];
  const red = open.filter(({ now }) => now?.ok === false);
  const unknown = open.filter(({ now }) => now === undefined);
  if (code === "verifying") return words("checking", unknown, ({ criterion }) => nameOf(criterion));
  const before = unknown.filter(({ newest }) => newest?.ok === false);
  return [
    ...words("not met", red, ({ criterion, now }) => withOutcome(criterion, now)),
    ...words("not met when last checked", before, ({ criterion, newest }) => withOutcome(criterion, newest)),
    ...words(
      "not checked",
      unknown.filter((one) => !before.includes(one)),
      ({ criterion }) => nameOf(criterion),
    ),
  ];
}

function words<T>(title: string, those: readonly T[], nameIn: (one: T) => string): string[] {
  if (those.length === 0) return [];
  const more = those.length > MAX_NAMES ? ` and ${those.length - MAX_NAMES} more` : "";
  return [`${title}: ${those.slice(0, MAX_NAMES).map(nameIn).join(", ")}${more}`];
}

function nameOf({ id }: Criterion): string {
  return shownLine(id, NAME_LENGTH);
}

function withOutcome(criterion: Criterion, result: CriterionChecked | undefined): string {
  return `${nameOf(criterion)}${result === undefined ? "" : ` (${shortOutcome(result)})`}`;
}

function shortOutcome({ outcome, kind, exitCode, signal }: CriterionChecked): string {
  if (outcome === "timed-out") return "timed out";
  if (outcome === "not-started") return "could not be started";
  if (kind === "file") return "file missing or wrong";
  return exitCode === null ? `killed by ${shownLine(signal ?? "a signal", 20)}` : `exit ${exitCode}`;
}

function stepWords({ state: { steps } }: Situation): string[] {
  const done = steps.filter(({ status }) => status === "done").length;
  return steps.length === 0 ? [] : [`${done}/${steps.length} steps`];
}

const BREAKERS: Readonly<Record<string, string>> = {
  oscillation: "the same changes are made and undone",
  same_failure: "the same failures three times",
  no_progress: "no progress in three turns",
  too_fast: "no progress in three short turns",
  plateau: "no criterion met in five turns",
};

/** What pauses the loop if it continues. */
function warningWords(situation: Situation, { code, breaker = "" }: Decision): string[] {
  if (code === "breaker_half_open") return [`stuck? ${BREAKERS[breaker] ?? breaker}`];
  if (code === "idle_warning") return [`no tool call in ${idleTurns(situation)} turns`];
  return code === "ask_human" ? ["a question for you"] : [];
}

function costWords({ state, probes: { spend } }: Situation): string[] {
  const { usd: limit = 0 } = state.contract.limits;
  if (spend === undefined || spend.calls === 0) return [];
  const spent = `${spend.usd === null ? "at least " : ""}${shownUsd(spend.knownUsd)}`;
  return [limit > 0 ? `${spent} of ${shownUsd(limit).replace(/\.00$/u, "")}` : spent];
}
