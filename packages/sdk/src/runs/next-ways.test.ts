import { expect, it } from "vitest";
import type { LoopState } from "../model/loop-state.js";
import { waysText, waysToResume } from "./next-ways.js";

const DRIVEN = { harness: "claude-code", sessionId: "s", by: "start", at: "", driver: {} };

function nextOf(code: string, more: object = {}, session: object | undefined = DRIVEN): string | undefined {
  const paused = { code, message: "", by: "engine", at: "", ...more };
  return waysText(waysToResume({ paused, session } as unknown as LoopState, "night", { by: "nobody" }));
}

const AGAIN = "babysitter run night --agent claude-code";

it.each([
  [
    "contract_tampered",
    `babysitter loop:amend night --accept-changes    (to accept the changes, once you have looked at them; then, or after undoing the changes: ${AGAIN})`,
  ],
  ["no_criteria", `babysitter loop:amend night --criteria 'name: command'    (to add a criterion; then: ${AGAIN})`],
  ["cost_unknown", `babysitter loop:amend night --budget-usd 0    (to do without the cost limit; then: ${AGAIN})`],
  ["must_not_violated", `${AGAIN}    (after undoing what the check has found)`],
  ["verification_unsettled", `${AGAIN}    (after making its checks write to ignored paths only)`],
  ["error_blocking", `${AGAIN}    (after fixing the error)`],
  ["stuck_permissions", `${AGAIN}    (after allowing it)`],
  ["blocked_confirmed", `${AGAIN}    (after removing what is in its way)`],
  ["max_iterations_reached", `${AGAIN} --max-iterations <n>    (starts its agent again)`],
  ["stuck_no_progress", `${AGAIN}    (starts its agent again)`],
])("C27: a loop that %s has paused is not simply resumed where that would pause it again", (code, next) => {
  expect(nextOf(code)).toBe(next);
});

it("C27: what was lifted during the pause need not be lifted again", () => {
  expect(nextOf("contract_tampered", { lifted: true })).toBe(`${AGAIN}    (starts its agent again)`);
});

it("C27: a loop whose turns no command starts is resumed for whoever works on it", () => {
  const session = { harness: "claude-code", sessionId: "s", by: "start", at: "" };
  expect(nextOf("contract_tampered", {}, session)).toMatch(/undoing the changes: babysitter loop:resume night\)$/u);
});
