/** Which lifecycle hooks a program that was killed has not called any more, from what the journal says. */

import type { JournalEvent } from "../model/events.js";
import type { EffectId } from "../model/ids.js";
import { pendingOf, type RunSummary } from "../model/run-state.js";
import { HookMoments, type MomentCall } from "./hook-moments.js";
import { isOwn } from "./iterate-with-hooks.js";

/** Whose hooks a program calls: those of what the process does, those of tasks that are executed or posted. */
export type Told = "process" | "tasks";

/** A program that calls hooks for events after this one. */
export interface Teller {
  since: number;
  tells: Told[];
}

/** A call to be made, or an open question that people are to be told of. */
export type OwedCall = MomentCall | { question: EffectId };

/**
 * @param events the whole journal
 * @param gone programs that have ended without calling all their hooks
 */
export function owedCalls(
  run: { runDir: string; summary: RunSummary },
  events: readonly JournalEvent[],
  gone: readonly Teller[],
): OwedCall[] {
  const moments = new HookMoments(run);
  let owed: { hookType: string; about: string | undefined; call: OwedCall }[] = [];
  for (const event of events) {
    const calls = moments.callsFor(event);
    if (event.type === "HOOK_DISPATCHED") {
      const { hookType, about } = event.payload;
      const called = owed.find((one) => one.hookType === hookType && one.about === about);
      owed = owed.filter((one) => one !== called);
    }
    const told = toldBy(event);
    if (!gone.some(({ since, tells }) => event.seq > since && tells.includes(told))) continue;
    if (event.type === "BREAKPOINT_OPENED")
      owed.push({ hookType: "on-breakpoint", about: event.effectId, call: { question: event.effectId } });
    owed.push(...calls.map((call) => ({ hookType: call.hookType, about: call.about, call })));
  }
  // A question that has been answered since is nobody's business any more.
  return owed
    .map(({ call }) => call)
    .filter((call) => !("question" in call) || pendingOf(run.summary, call.question) !== undefined);
}

function toldBy(event: JournalEvent): Told {
  return isOwn(event) || event.type === "BREAKPOINT_OPENED" ? "process" : "tasks";
}
