/** For every rule about turns one turn to which it applies, in the order in which the rules must stand. */
import {
  COMPLETED,
  command,
  minutesLater,
  mustNot,
  PROMISE,
  PROOF,
  results,
  said,
  sample,
  spent,
  step,
  type Turn,
} from "./situations.js";

const TESTS = command("tests");
const claimed = { says: said(PROMISE) };
const met: Turn = { contract: { criteria: [TESTS] }, state: { results: results({ tests: true }) } };
const unmet: Turn = { contract: { criteria: [TESTS] }, state: { results: results({ tests: false }) } };
const unchecked: Turn = { contract: { criteria: [TESTS] } };
const HUNDRED = { input: 100, output: 0, cacheRead: 0, cacheWrite: 0 };
const still = [sample(), sample()];

export const RULE_EXAMPLES: Readonly<Record<string, Turn>> = {
  command_waiting: { probes: { commandWaiting: true } },
  transcript_missing: { probes: { silent: true } },
  contract_tampered: { probes: { tampered: [{ name: "test.sh", what: "changed" }] } },
  must_not_violated: { contract: { criteria: [mustNot("wiped")] }, state: { results: results({ wiped: true }) } },
  completion_proof_matched: { run: COMPLETED, says: said(PROOF) },
  completed_verified: { ...met, ...claimed },
  promise_matched: claimed,
  no_criteria: { contract: { mode: "criteria" }, ...claimed },
  awaiting_human: { run: { openQuestions: ["q1"] }, state: { asked: ["q1"] } },
  awaiting_time: { run: { sleepsUntil: minutesLater(5).toISOString() } },
  budget_time: { limits: { wallMs: 60_000 } },
  budget_cost: { limits: { usd: 1 }, probes: { spend: spent(1, { tokens: HUNDRED, usd: null }) } },
  budget_tokens: { limits: { tokens: 100 }, probes: { spend: spent(0, { tokens: HUNDRED, usd: null }) } },
  cost_unknown: { limits: { usd: 1 }, probes: { spend: spent(0, { usd: null, unpriced: ["new-model"] }) } },
  verification_unsettled: { ...unchecked, ...claimed, state: { waits: 5 } },
  verifying: { ...unchecked, ...claimed },
  max_iterations_reached: { limits: { iterations: 2 } },
  ask_human: { run: { openQuestions: ["q2"] } },
  awaiting_background: { input: { background: 1 } },
  error_blocking: { state: { steps: [step("deploy", "failed", ["blocking"])] } },
  error_unknown: { state: { steps: [step("build", "failed", ["unknown"])] } },
  error_transient: { state: { steps: [step("fetch", "failed", ["transient", "transient"])] } },
  harness_block_cap: { host: { blockCap: 4 }, state: { idleStops: 1 }, sample: { tools: 0 } },
  stuck_idle: { state: { idleStops: 5 }, sample: { tools: 0 } },
  stuck_permissions: { probes: { denied: 1 }, state: { deniedTurns: 1 } },
  blocked_confirmed: {
    says: "<loop-blocked>no key</loop-blocked>",
    state: { blocked: { reason: "no key", times: 2 } },
  },
  claims_exhausted: { ...unmet, ...claimed, state: { ...unmet.state, rejections: 4 } },
  confirm_missing: { ...met, state: { ...met.state, confirmations: 2 } },
  criteria_met_confirm: met,
  stuck_oscillation: {
    state: {
      halfOpen: ["oscillation"],
      progress: [sample(), sample({ tree: "b" }), sample(), sample({ tree: "c" })],
    },
  },
  stuck_same_failure: {
    state: {
      halfOpen: ["same_failure"],
      progress: [sample({ tree: "a", signatures: ["f"] }), sample({ tree: "b", signatures: ["f"] })],
    },
    sample: { signatures: ["f"] },
  },
  stuck_no_progress: { state: { halfOpen: ["no_progress"], progress: still } },
  stuck_plateau: {
    state: {
      halfOpen: ["plateau"],
      progress: ["a", "b", "c", "d"].map((tree) => sample({ tree, failing: ["tests"] })),
    },
    sample: { failing: ["tests"] },
  },
  iteration_too_fast: {
    state: { halfOpen: ["too_fast"], iteration: 5, progress: still, iterationTimes: [10, 10] },
    sample: { seconds: 10 },
  },
  breaker_half_open: { state: { progress: still } },
  claim_rejected: { ...unmet, ...claimed },
  steps_remaining: { state: { steps: [step("docs", "open")] }, ...claimed },
  run_incomplete: { run: { hasProcess: true }, ...claimed },
  proof_missing: { run: COMPLETED },
  idle_warning: { state: { idleStops: 2 }, sample: { tools: 0 } },
  review_due: { limits: { reviewEvery: 2 }, state: { reviewedAt: 1 } },
  continue_loop: {},
};

/** A turn with what both have; where they contradict each other, as the first has it. */
export function bothOf(first: Turn, second: Turn): Turn {
  const says = [first.says, second.says].filter((text) => text !== undefined);
  const criteria = new Map(
    [...(second.contract?.criteria ?? []), ...(first.contract?.criteria ?? [])].map((each) => [each.id, each]),
  );
  const steps = [...(first.state?.steps ?? []), ...(second.state?.steps ?? [])];
  return {
    ...(says.length === 0 ? {} : { says: says.join("\n\n") }),
    contract: { ...second.contract, ...first.contract, criteria: [...criteria.values()] },
    limits: { ...second.limits, ...first.limits },
    state: {
      ...second.state,
      ...first.state,
      results: { ...second.state?.results, ...first.state?.results },
      ...(steps.length === 0 ? {} : { steps }),
    },
    run: { ...second.run, ...first.run },
    probes: { ...second.probes, ...first.probes },
    sample: { ...second.sample, ...first.sample },
    input: { ...second.input, ...first.input },
    host: { ...second.host, ...first.host },
  };
}
