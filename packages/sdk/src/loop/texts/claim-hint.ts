/** What an agent is told that has said it is done in a way that does not count. */
import { type NearClaim, nearClaim } from "../rules/claim.js";
import type { Situation } from "../rules/situation.js";

const WHY: Readonly<Record<NearClaim, string>> = {
  early:
    "You said that you are done, but not in the last words of your turn, and only those count. If everything is really done, end your reply with this line",
  inexact:
    "What you said is almost the promise, but not exactly. If everything is really done, output this line, with the same capitals and spaces",
  other: "The promise that you gave is not the one of this loop. If everything is really done, output this line",
};

/** Undefined when there is nothing to explain. */
export function claimHint(situation: Situation): string | undefined {
  const near = nearClaim(situation);
  return near === undefined ? undefined : `${WHY[near]}: <promise>${situation.state.contract.promise.text}</promise>`;
}
