/** The decision at the end of a turn: the first rule of the table that applies. */
import type { Attestation, StopHookInvoked } from "../../model/loop-events.js";
import { trippedBreaker } from "./circuit-breakers.js";
import { blockedReason, claimOf, hasPromiseTag, isClaim } from "./claim.js";
import { sortCriteria } from "./criteria-standing.js";
import { type Action, TURN_RULES } from "./decision-rules.js";
import { GUARD_RULES } from "./guard-rules.js";
import type { SessionStanding, Situation, StopInput } from "./situation.js";

export interface Decision {
  code: string;
  action: Action;
  attestation?: Attestation;
  /** Of a warning: the circuit breaker. */
  breaker?: string;
}

/** What can be said without a look at the turn; undefined when it takes one. */
export function decideGuard(input: StopInput, standing: SessionStanding): Decision | undefined {
  const rule = GUARD_RULES.find(({ when }) => when(input, standing));
  return rule === undefined ? undefined : { code: rule.code, action: rule.action };
}

/** What is to happen at the end of this turn. The last rule always applies. */
export function decide(situation: Situation): Decision {
  const rule = TURN_RULES.find(({ when }) => when(situation)) as (typeof TURN_RULES)[number];
  const breaker = trippedBreaker(situation.state, situation.probes.sample);
  return {
    code: rule.code,
    action: rule.action,
    ...(rule.action === "done" ? { attestation: attestationOf(rule.code) } : {}),
    ...(rule.code === "breaker_half_open" && breaker !== undefined ? { breaker } : {}),
  };
}

function attestationOf(code: string): Attestation {
  if (code === "completed_verified") return "verified";
  return code === "completion_proof_matched" ? "proof" : "claim";
}

/** Blocks that only ask to wait, or to ask a human, do not use up an iteration. */
const NOT_COUNTED: ReadonlySet<string> = new Set(["verifying", "ask_human"]);

/** The iteration from here on. */
export function nextIteration({ state }: Situation, { action, code }: Decision): number {
  return action === "block" && !NOT_COUNTED.has(code) ? state.iteration + 1 : state.iteration;
}

/** The record of a decision; folding it gives the state that the next decision builds on. */
export function recordOf(situation: Situation, decision: Decision): StopHookInvoked {
  const { input, state, run, probes, now } = situation;
  const { code, action, breaker } = decision;
  const blocked = blockedReason(situation);
  const claimed = isClaim(situation);
  const isRejected = claimed && sortCriteria(state, probes.tree).red.length > 0;
  const asked = code === "ask_human" ? run.openQuestions : [];
  return {
    sessionId: input.sessionId ?? "",
    iteration: state.iteration,
    decision: action === "block" ? "block" : "approve",
    reason: code,
    runState: run.state,
    pendingKinds: run.pendingKinds.join(", "),
    hasPromise: hasPromiseTag(situation),
    timestamp: now.toISOString(),
    nextIteration: nextIteration(situation, decision),
    sample: probes.sample,
    ...(claimed ? { claim: claimText(situation) } : {}),
    ...(blocked === undefined ? {} : { blocked }),
    ...(probes.spend === undefined ? {} : { spend: probes.spend }),
    ...(probes.denied.length === 0 ? {} : { denied: probes.denied.length }),
    ...(breaker === undefined ? {} : { warned: breaker }),
    ...(asked.length === 0 ? {} : { asked }),
    ...(isRejected ? { rejected: true } : {}),
  };
}

function claimText(situation: Situation): string {
  const { proof, promise } = claimOf(situation);
  if (proof) return "completion proof";
  return promise ? situation.state.contract.promise.text : "loop-complete";
}
