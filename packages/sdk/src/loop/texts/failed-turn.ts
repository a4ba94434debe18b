/** What the person in front of a terminal is told about a turn that has failed. */
import type { LoopState } from "../../model/loop-state.js";
import { shownTime } from "../../model/shown-amounts.js";
import { isLasting } from "../rules/host-errors.js";

export function failedTurnNotice({ error, retryAt }: NonNullable<LoopState["failure"]>): string {
  return `Babysitter: the turn failed (${error}); ${whatNext(error, retryAt)}`;
}

function whatNext(error: string, retryAt: string | undefined): string {
  if (retryAt !== undefined) return `next try at ${shownTime(retryAt)}`;
  return isLasting(error) ? "waiting does not help, so it needs you" : "too often to try again, so it needs you";
}
