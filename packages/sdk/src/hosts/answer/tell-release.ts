/** A session that a loop has held is told once when that is over, whoever or whatever has ended it. */
import { fileGoneText, releaseText } from "../../loop/texts/release-texts.js";
import { BabysitterError } from "../../model/errors.js";
import type { HeldBy } from "../../sessions/held-sessions.js";
import type { HookEvent, HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";
import { unusableLoop } from "./unusable-loop.js";

/** Events whose answer people see. */
const SEEN: ReadonlySet<HookEvent> = new Set(["stop", "session-start", "user-prompt-submit", "user-prompt-expansion"]);

/** Adds that line to an answer which has nothing to say by itself. */
export async function tellRelease(call: HostHookCall, answer: HostAnswer): Promise<HostAnswer> {
  const { event, registry, sessionId } = call;
  if (!SEEN.has(event) || answer.continueWith !== undefined) return answer;
  const run = registry.heldBy(sessionId);
  if (run === undefined) return answer;
  const found = registry.find(sessionId);
  if (found.kind === "found" && found.session.active) return answer;
  const isTold = answer.message !== undefined || answer.refusal !== undefined;
  const message = isTold ? undefined : await reasonOf(call, run, found.kind === "none");
  if (!isTold && message === undefined) return answer;
  registry.letGo(sessionId);
  return isTold ? answer : { ...answer, message: message as string };
}

async function reasonOf(call: HostHookCall, run: HeldBy, isGone: boolean): Promise<string | undefined> {
  try {
    const journal = await call.machine.loops.openRun(run);
    const { runId, summary } = journal;
    const released = { runId, runName: call.machine.runName(journal), summary };
    // A file that is only switched off is for the end of the turn, which records it.
    return releaseText(released, call.sessionId) ?? (isGone ? fileGoneText(released) : undefined);
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return unusableLoop(call, { standing: { kind: "run-unknown", runId: run.runId, problem: error.message } }).message;
  }
}
