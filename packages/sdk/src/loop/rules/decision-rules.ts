/**
 * What happens when an agent's turn ends: one ordered table; the first rule that applies decides.
 * True claims come before limits, and limits before everything that continues the loop.
 */
import { rejectionsWith } from "../../model/loop-state.js";
import { trippedBreaker } from "./circuit-breakers.js";
import { blockedReason, isClaim, isVainClaim, isWordOnly } from "./claim.js";
import { criterionStanding, mustNotCriteria, sortCriteria, uncheckedCriteria } from "./criteria-standing.js";
import type { Situation } from "./situation.js";

/** All but `block` let the agent stop; `pause` also pauses the loop, and `done` ends it with its goal reached. */
export type Action = "allow" | "block" | "pause" | "done";

export interface RuleText {
  action: Action;
  /** When it applies, for people. */
  doc: string;
}

export interface TurnRule extends RuleText {
  code: string;
  when: (situation: Situation) => boolean;
}

/** How many answers in a row may only say that a verification is running. */
const MAX_WAITS = 5;
/** The same while one really is running and the agent calls tools to wait for it. Each wait may take minutes. */
const MAX_LONG_WAITS = 40;
/** Turns without a tool call before a warning, and before the loop is paused. */
const IDLE_WARNING = 3;
const IDLE_PAUSE = 6;
/** We pause this many turns before the host would end the loop itself. */
const CAP_MARGIN = 2;
const DENIED_TURNS = 2;
const BLOCKED_TURNS = 3;
const CONFIRMATIONS = 2;

const unmet = (s: Situation): boolean => sortCriteria(s.state, s.probes.tree).red.length > 0;
const unchecked = (s: Situation): boolean => uncheckedCriteria(s.state, s.probes.tree).length > 0;
const stepsOpen = ({ state }: Situation): boolean => state.steps.some(({ status }) => status !== "done");
/** Met as far as the engine can tell, with nothing left to do. */
const isMet = (s: Situation): boolean => !unmet(s) && !unchecked(s) && !stepsOpen(s);
const limits = ({ state }: Situation): Situation["state"]["contract"]["limits"] => state.contract.limits;
const reaches = (value: number, limit: number | undefined): boolean =>
  limit !== undefined && limit > 0 && value >= limit;

/** Turns in a row without a tool call, this one included. */
export function idleTurns({ state, probes }: Situation): number {
  const { tools } = probes.sample;
  if (tools === undefined) return state.idleStops;
  return tools === 0 ? state.idleStops + 1 : 0;
}

/** After this many idle turns the loop is paused. */
export function idleLimit({ host }: Situation): number {
  return host.blockCap === undefined || host.blockCap === 0
    ? IDLE_PAUSE
    : Math.max(1, Math.min(IDLE_PAUSE, host.blockCap - CAP_MARGIN));
}

function hasStepError({ state }: Situation, errorClass: string, times: number): boolean {
  return state.steps.some(({ status, errors }) => {
    const last = errors.slice(-times);
    return status === "failed" && last.length === times && last.every((error) => error.errorClass === errorClass);
  });
}

function timesBlocked(situation: Situation): number {
  const reason = blockedReason(situation);
  if (reason === undefined) return 0;
  const { blocked } = situation.state;
  return blocked?.reason === reason ? blocked.times + 1 : 1;
}

const STUCK_DOCS = {
  oscillation: "The working tree returned to an earlier state twice, even after a warning.",
  same_failure:
    "Three turns changed files, and checks found exactly the same failures each time, even after a warning.",
  no_progress: "Nothing happened in three turns, even after a warning.",
  plateau: "Five turns with the same unmet criteria, no step done and no fewer failures, even after a warning.",
} as const;

/** Rules about a turn of an active loop. */
export const TURN_RULES: readonly TurnRule[] = [
  {
    code: "command_waiting",
    action: "allow",
    doc: "The user typed a command to pause or cancel the loop while the agent worked; the host runs it when the agent stops.",
    when: ({ probes }) => probes.commandWaiting === true,
  },
  {
    code: "transcript_missing",
    action: "pause",
    doc: "The host supplied neither a last message nor a transcript, so the turn cannot be judged.",
    when: ({ probes }) => probes.silent,
  },
  {
    code: "transcript_unreadable",
    action: "pause",
    doc: "The host supplied no last message, and the transcript's line with it is not valid JSON.",
    when: ({ probes }) => probes.broken !== undefined,
  },
  {
    code: "contract_tampered",
    action: "pause",
    doc: "A protected file, or a script that a criterion runs, changed.",
    when: ({ probes }) => probes.tampered.length > 0,
  },
  {
    code: "must_not_violated",
    action: "pause",
    doc: "A must-not check succeeded.",
    when: ({ state, probes }) =>
      mustNotCriteria(state.contract.criteria).some(
        (criterion) => criterionStanding(state, criterion, probes.tree) === "red",
      ),
  },
  {
    code: "completion_proof_matched",
    action: "done",
    doc: "The run completed, the agent gave the completion proof, and every criterion is met.",
    when: (s) => s.run.hasProcess && isClaim(s) && isMet(s),
  },
  {
    code: "completed_verified",
    action: "done",
    doc: "The agent claims to be done, the engine found every criterion met on this tree, and no step is open.",
    when: (s) => !s.run.hasProcess && !isWordOnly(s) && isClaim(s) && isMet(s),
  },
  {
    code: "promise_matched",
    action: "done",
    doc: "The agent gave its promise, no step is open, and the engine has nothing to check: ended by claim.",
    when: (s) => !s.run.hasProcess && isWordOnly(s) && isClaim(s) && isMet(s) && !lacksCriteria(s),
  },
  {
    code: "no_criteria",
    action: "pause",
    doc: "The agent claims to be done, but a criteria loop without criteria cannot end.",
    when: (s) => isClaim(s) && lacksCriteria(s),
  },
  {
    code: "awaiting_human",
    action: "allow",
    doc: "Only questions are left, and the agent has already asked them.",
    when: (s) => s.run.openQuestions.length > 0 && !hasNewQuestion(s),
  },
  {
    code: "awaiting_time",
    action: "allow",
    doc: "Only a sleep is left, and it has not ended.",
    when: ({ run, now }) => run.sleepsUntil !== undefined && Date.parse(run.sleepsUntil) > now.getTime(),
  },
  {
    code: "budget_time",
    action: "pause",
    doc: "The time limit was reached.",
    when: (s) => reaches(s.now.getTime() - Date.parse(s.state.startedAt), limits(s).wallMs),
  },
  {
    code: "budget_cost",
    action: "pause",
    doc: "The cost limit was reached.",
    when: (s) => reaches(s.probes.spend?.knownUsd ?? 0, limits(s).usd),
  },
  {
    code: "budget_tokens",
    action: "pause",
    doc: "The token limit was reached.",
    when: (s) => reaches(tokensOf(s), limits(s).tokens),
  },
  {
    code: "cost_unknown",
    action: "pause",
    doc: "There is a cost limit, but a model's price or the session's usage is unknown. Usage is unknown when the session's transcript shows no model call, or no new one for two turns.",
    when: (s) => (limits(s).usd ?? 0) > 0 && whyCostUnknown(s) !== undefined,
  },
  {
    code: "verification_unsettled",
    action: "pause",
    doc: "The agent claims to be done, but a criterion has no result that is valid for the current tree.",
    when: (s) => awaitsVerification(s) && s.state.waits >= (isWaiting(s) ? MAX_LONG_WAITS : MAX_WAITS),
  },
  {
    code: "verifying",
    action: "block",
    doc: "The agent claims to be done and the engine is still checking; the agent is told to wait for the result.",
    when: (s) => awaitsVerification(s),
  },
  {
    code: "max_iterations_reached",
    action: "pause",
    doc: "The last allowed iteration ended.",
    when: (s) => reaches(s.state.iteration, limits(s).iterations),
  },
  {
    code: "ask_human",
    action: "block",
    doc: "Only questions for a human are left and one is new; the agent is told once to ask it.",
    when: hasNewQuestion,
  },
  {
    code: "awaiting_background",
    action: "allow",
    doc: "Background work is running that will wake the session when it ends.",
    when: (s) => s.input.background > 0 && !isClaim(s),
  },
  {
    code: "error_blocking",
    action: "pause",
    doc: "A step failed with an error that the agent cannot fix, such as a missing dependency or permission.",
    when: (s) => hasStepError(s, "blocking", 1),
  },
  {
    code: "error_unknown",
    action: "pause",
    doc: "A step failed with an error of unknown kind.",
    when: (s) => hasStepError(s, "unknown", 1),
  },
  {
    code: "error_transient",
    action: "pause",
    doc: "A step failed with a transient error, such as a network failure, and failed again when retried.",
    when: (s) => hasStepError(s, "transient", 2),
  },
  {
    code: "harness_block_cap",
    action: "pause",
    doc: "The host is about to end the turn itself, because the agent has not called a tool for several turns.",
    when: (s) => idleTurns(s) >= idleLimit(s) && idleLimit(s) < IDLE_PAUSE,
  },
  {
    code: "stuck_idle",
    action: "pause",
    doc: "The agent has not called a tool for six turns.",
    when: (s) => idleTurns(s) >= idleLimit(s),
  },
  {
    code: "stuck_permissions",
    action: "pause",
    doc: "The host denied a tool in two turns in a row.",
    when: ({ state, probes }) => probes.denied.length > 0 && state.deniedTurns + 1 >= DENIED_TURNS,
  },
  {
    code: "blocked_confirmed",
    action: "pause",
    doc: "The agent said three times in a row, with the same reason, that it cannot continue.",
    when: (s) => timesBlocked(s) >= BLOCKED_TURNS,
  },
  {
    code: "claims_exhausted",
    action: "pause",
    doc: "The agent claimed to be done too many times when it was not.",
    when: (s) => isClaim(s) && unmet(s) && reaches(rejectionsOf(s), limits(s).rejections),
  },
  {
    code: "confirm_missing",
    action: "pause",
    doc: "Every criterion is met, but the agent was asked twice and did not say that it is done.",
    when: (s) => awaitsConfirmation(s) && s.state.confirmations >= CONFIRMATIONS,
  },
  {
    code: "criteria_met_confirm",
    action: "block",
    doc: "Every criterion is met; the agent is asked whether it is done.",
    when: awaitsConfirmation,
  },
  ...(Object.keys(STUCK_DOCS) as (keyof typeof STUCK_DOCS)[]).map(
    (breaker): TurnRule => ({
      code: `stuck_${breaker}`,
      action: "pause",
      doc: STUCK_DOCS[breaker],
      when: (s) => trippedBreaker(s.state, s.probes.sample) === breaker && isSecond(s, breaker),
    }),
  ),
  {
    code: "iteration_too_fast",
    action: "pause",
    doc: "From the fifth iteration on: three turns of at most 15 seconds on average in which nothing happened, even after a warning.",
    when: (s) => trippedBreaker(s.state, s.probes.sample) === "too_fast" && isSecond(s, "too_fast"),
  },
  {
    code: "breaker_half_open",
    action: "block",
    doc: "One of the conditions above holds for the first time: the agent is told to change its approach.",
    when: (s) => trippedBreaker(s.state, s.probes.sample) !== undefined,
  },
  {
    code: "claim_rejected",
    action: "block",
    doc: "The agent claims to be done, but a criterion is not met; it is told which, with the exit code and the last lines of output.",
    when: (s) => isClaim(s) && unmet(s),
  },
  {
    code: "steps_remaining",
    action: "block",
    doc: "The agent claims to be done, but steps are open.",
    when: (s) => isClaim(s) && stepsOpen(s),
  },
  {
    code: "run_incomplete",
    action: "block",
    doc: "The agent claims to be done, but its run has not completed.",
    when: (s) => isVainClaim(s) && s.run.state !== "completed",
  },
  {
    code: "proof_missing",
    action: "block",
    doc: "The run completed, but the agent has not given the completion proof.",
    when: (s) => s.run.hasProcess && s.run.state === "completed",
  },
  {
    code: "idle_warning",
    action: "block",
    doc: "The agent has not called a tool for three turns.",
    when: (s) => idleTurns(s) >= IDLE_WARNING,
  },
  {
    code: "review_due",
    action: "pause",
    doc: "A review by a person is due after this many iterations.",
    when: (s) => reaches(s.state.iteration - s.state.reviewedAt + 1, limits(s).reviewEvery),
  },
  {
    code: "continue_loop",
    action: "block",
    doc: "Otherwise: continue working.",
    when: () => true,
  },
];

/** After the table: a failure of the engine itself never keeps the agent from stopping. */
export const ENGINE_ERROR_RULE: RuleText & { code: string } = {
  code: "engine_error",
  action: "allow",
  doc: "The engine itself failed or ran out of time; the state is unchanged.",
};

function hasNewQuestion({ run, state }: Situation): boolean {
  return run.openQuestions.some((id) => !state.asked.includes(id));
}

/** Standing still is one thing, however short the turns are: the warning before the one is that before the other. */
const STANDING_STILL = ["no_progress", "too_fast"];

function isSecond({ state: { halfOpen = [] } }: Situation, breaker: string): boolean {
  const same = STANDING_STILL.includes(breaker) ? STANDING_STILL : [breaker];
  return halfOpen.some((warned) => same.includes(warned));
}

/** A claim that may be true: nothing is known to be unmet, and not everything was checked on this tree. */
export function awaitsVerification(s: Situation): boolean {
  return isClaim(s) && !unmet(s) && unchecked(s);
}

function isWaiting({ probes: { verifying, sample } }: Situation): boolean {
  return verifying && (sample.tools ?? 0) > 0;
}

function lacksCriteria({ state: { contract } }: Situation): boolean {
  return contract.mode === "criteria" && contract.criteria.length === 0;
}

function awaitsConfirmation(s: Situation): boolean {
  return !s.run.hasProcess && !isWordOnly(s) && !isClaim(s) && isMet(s) && s.probes.tree !== undefined;
}

export function tokensOf({ probes }: Situation): number {
  const tokens = probes.spend?.tokens;
  return tokens === undefined ? 0 : tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}

/** Wrong claims in a row, this one included. */
export function rejectionsOf({ state, probes }: Situation): number {
  return rejectionsWith(state, probes.sample.failing?.length ?? 0);
}

/** Undefined when the costs are known, or nobody can know them yet. */
export function whyCostUnknown({ probes: { spend }, state }: Situation): "no usage" | "no price" | undefined {
  // A turn may end before the host has written down what it has used: the next one shows it.
  const isFirst = state.iteration <= 1 && state.lastStop === undefined;
  if (spend === undefined || spend.calls === 0) return isFirst ? undefined : "no usage";
  if (spend.usd === null) return "no price";
  const isNoMore = spend.calls <= (state.spend?.calls ?? 0);
  return isNoMore && (state.turnsWithoutCalls ?? 0) > 0 ? "no usage" : undefined;
}
