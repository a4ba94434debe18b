/** What the user is told when the agent may stop: why, and how to continue. */

import { liftingOption } from "../../model/lifted-limits.js";
import { shownCount, shownDuration, shownTime, shownUsd, totalTokens } from "../../model/shown-amounts.js";
import { shownLine } from "../../model/shown-text.js";
import { claimOf } from "../rules/claim.js";
import {
  criterionStanding,
  mustNotCriteria,
  requiredCriteria,
  sortCriteria,
  uncheckedCriteria,
} from "../rules/criteria-standing.js";
import { isClaimOnly } from "../rules/criterion-kinds.js";
import type { Decision } from "../rules/decide.js";
import { rejectionsOf, tokensOf, whyCostUnknown } from "../rules/decision-rules.js";
import { beganAt } from "../rules/loop-now.js";
import type { Situation } from "../rules/situation.js";
import { changingWords } from "./check-words.js";
import { contractChangedNote } from "./contract-changes.js";
import { unmetLine } from "./unmet-criteria.js";

type Ending = (situation: Situation) => string;

const WITHOUT_BUDGET = " To continue without the limit: babysitter loop:amend --budget-usd 0";

const done: Readonly<Record<string, Ending>> = {
  completion_proof_matched: () => "✅ Babysitter run: completed, the completion proof matches.",
  completed_verified: ({ state }) => {
    const verified = requiredCriteria(state.contract.criteria).map(({ id }) => id);
    const claimed = state.contract.criteria.filter(isClaimOnly).map(({ id }) => id);
    const byWord = claimed.length === 0 ? "" : ` On the agent's word only: ${claimed.join(", ")}.`;
    return `✅ Babysitter run: done and verified: ${verified.join(", ")}.${byWord}`;
  },
  promise_matched: (situation) =>
    `✅ Babysitter run: Detected ${claimTag(situation)}\nEnded by the agent's claim; the engine had nothing to check.`,
};

const paused: Readonly<Record<string, Ending>> = {
  transcript_missing: () => "⚠️  Babysitter run: Transcript file not found, and the host supplied no last message.",
  transcript_unreadable: ({ probes }) =>
    `⚠️  Babysitter run: Failed to parse assistant message JSON\n   Error: ${shownLine(probes.broken ?? "")}`,
  contract_tampered: ({ probes }) =>
    `🛑 Babysitter run: a protected file or script changed: ${probes.tampered.map(({ name, what }) => `${name} (${what})`).join(", ")}. To accept the changes: babysitter loop:amend --accept-changes`,
  must_not_violated: ({ state, probes }) => {
    const forbidden = mustNotCriteria(state.contract.criteria);
    const succeeded = forbidden.filter((criterion) => criterionStanding(state, criterion, probes.tree) === "red");
    return `🛑 Babysitter run: a must-not check succeeded: ${names(succeeded)}.`;
  },
  no_criteria: () =>
    "🛑 Babysitter run: a criteria loop without criteria cannot end. Add one: babysitter loop:amend --criteria 'name: command'",
  budget_time: ({ state }) => `🛑 Babysitter run: Time limit reached (started ${shownTime(state.startedAt)}).`,
  budget_cost: ({ state, probes }) =>
    `🛑 Babysitter run: Budget reached (${shownUsd(probes.spend?.knownUsd ?? 0)} of ${shownUsd(state.contract.limits.usd ?? 0)}).`,
  budget_tokens: (situation) => `🛑 Babysitter run: Token limit reached (${tokensOf(situation)} used).`,
  cost_unknown: (situation) => {
    const { spend } = situation.probes;
    const but = "🛑 Babysitter run: there is a cost limit, but";
    if (spend === undefined) return `${but} this host does not report what the session uses.${WITHOUT_BUDGET}`;
    return whyCostUnknown(situation) === "no price"
      ? `${but} no price is known for ${spend.unpriced.join(", ")}. A loop keeps the prices that it began with; for the next one, add it to the setting \`prices\`.${WITHOUT_BUDGET}`
      : `${but} the session's transcript does not show what the last turns used, so the cost is unknown.${WITHOUT_BUDGET}`;
  },
  verification_unsettled: (situation) => {
    const changing = changingWords(situation);
    const why =
      changing === ""
        ? ". A check that changes the working tree (reports, snapshots) must write to ignored paths."
        : `: ${changing}. Checks must write to ignored paths.`;
    return `🛑 Babysitter run: no valid result for ${unknown(situation)}${why}`;
  },
  max_iterations_reached: ({ state }) =>
    `🛑 Babysitter run: Max iterations (${state.contract.limits.iterations}) reached.`,
  error_blocking: () => "🛑 Babysitter run: a step failed with an error that you need to fix.",
  error_unknown: () => "🛑 Babysitter run: a step failed with an error of unknown kind; please check.",
  error_transient: () => "🛑 Babysitter run: a step failed twice with a transient error.",
  harness_block_cap: () =>
    "🛑 Babysitter run: the agent has stopped calling tools, and the host is about to end the turn itself.",
  stuck_idle: () => "🛑 Babysitter run: the agent has not called a tool for several turns.",
  stuck_permissions: ({ probes, host: { toolSettings } }) => {
    const allowing = toolSettings === undefined ? "" : ` To allow it, add it to ${toolSettings}.`;
    return `🛑 Babysitter run: the host keeps denying a tool: ${deniedCalls(probes.denied)}.${allowing}`;
  },
  blocked_confirmed: ({ state }) =>
    `🛑 Babysitter run: the agent cannot continue: ${shownLine(state.blocked?.reason ?? "", 500)}`,
  claims_exhausted: (situation) =>
    `🛑 Babysitter run: the agent claimed ${rejectionsOf(situation)} times to be done; not met: ${red(situation)}.`,
  stuck_oscillation: () => "🛑 Babysitter run: stuck, the same changes are made and undone repeatedly.",
  stuck_same_failure: () => "🛑 Babysitter run: stuck, the same failures keep coming back.",
  stuck_no_progress: () => "🛑 Babysitter run: stuck, nothing is happening.",
  stuck_plateau: (situation) =>
    `🛑 Babysitter run: stuck, no check has shown an improvement for several turns. ${unmetLine(situation)}`.trimEnd(),
  iteration_too_fast: () => "🛑 Babysitter run: stuck, very short turns in which nothing happens.",
  confirm_missing: () => "🛑 Babysitter run: every criterion is met, but the agent does not say that it is done.",
  review_due: ({ state }) => `🛑 Babysitter run: time for your review, after iteration ${state.iteration}.`,
};

const MAX_DENIED = 3;

function deniedCalls(denied: readonly string[]): string {
  const calls = [...new Set(denied)].map((call) => shownLine(call, 120));
  const more = calls.length > MAX_DENIED ? ` and ${calls.length - MAX_DENIED} more` : "";
  return `${calls.slice(0, MAX_DENIED).join(", ")}${more}`;
}

/** The tag by which the agent said that it is done. */
function claimTag(situation: Situation): string {
  return claimOf(situation).promise ? `<promise>${situation.state.contract.promise.text}</promise>` : "<loop-complete>";
}

const waiting: Readonly<Record<string, Ending>> = {
  command_waiting: () => "⏸ Babysitter run: the agent stops for the command that you typed.",
  awaiting_human: ({ run }) =>
    `⏸ Babysitter run: waiting for your answer: babysitter breakpoint:show ${run.openQuestions[0] ?? ""}`,
  awaiting_time: ({ run }) => `⏸ Babysitter run: sleeping until ${shownTime(run.sleepsUntil ?? "")}.`,
};

const red = ({ state, probes }: Situation): string => names(sortCriteria(state, probes.tree).red);
const unknown = ({ state, probes }: Situation): string => names(uncheckedCriteria(state, probes.tree));

function names(criteria: readonly { id: string }[]): string {
  return criteria.map(({ id }) => id).join(", ");
}

/** Why the agent may stop, and how to continue; undefined when there is nothing to say. */
export function endingWords(
  situation: Situation,
  { action, code }: Decision,
  { run }: { run: string },
): { why: string; onward: string[] } | undefined {
  if (action === "done")
    return {
      why: done[code]?.(situation) ?? code,
      onward: [
        whatItTook(situation),
        ...contractChangedNote(situation.state.contractChanges),
        ...(situation.run.codeChanges === undefined ? [] : [`⚠️ ${situation.run.codeChanges}`]),
        `Report: babysitter loop:report ${run}`,
      ],
    };
  if (action === "pause")
    return {
      why: paused[code]?.(situation) ?? code,
      onward: [
        `The loop is paused and nothing is lost. To resume: babysitter loop:resume ${run}${liftingOption({ code })}`,
      ],
    };
  const why = waiting[code]?.(situation);
  return why === undefined ? undefined : { why, onward: [] };
}

function whatItTook({ state, probes: { spend }, now }: Situation): string {
  const { iterations } = state.contract.limits;
  const facts = [
    `Iterations: ${state.iteration}${iterations > 0 ? ` of ${iterations}` : ""}`,
    shownDuration(now.getTime() - Date.parse(beganAt(state))),
    ...(spend === undefined ? [] : [`${shownCount(totalTokens(spend))} tokens`]),
    ...(spend === undefined || spend.usd === null ? [] : [`${shownUsd(spend.usd)} at list prices`]),
  ];
  return `${facts.join(", ")}.`;
}

/** Codes that have a text; the tests compare them with the table. */
export const SPOKEN_CODES: readonly string[] = [done, paused, waiting].flatMap((words) => Object.keys(words));
