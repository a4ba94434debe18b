/** When the engine itself fails, the agent may stop and people are told: a bug must never trap anyone in a loop. */

import { ENGINE_ERROR_RULE } from "../../loop/rules/decision-rules.js";
import { refusedBySystem } from "../../model/errno.js";
import { BabysitterError } from "../../model/errors.js";
import { shownLine } from "../../model/shown-text.js";
import { hookLogFile, hookProblemsSince, logHookProblem } from "../../sessions/hook-log.js";
import type { HostAnswer } from "../host.js";
import type { HostHookCall } from "./host-call.js";

/** For this long the user is not told again about the same problem in the same session. */
const SILENT_MS = 3_600_000;

export async function failOpen(call: HostHookCall, thrown: unknown): Promise<HostAnswer> {
  const error = BabysitterError.is(thrown)
    ? thrown
    : (refusedBySystem(thrown) ??
      new BabysitterError("INTERNAL", thrown instanceof Error ? thrown.message : String(thrown)));
  const { places, sessionId, event } = call;
  const { code } = error;
  const message = shownLine(error.message, 500);
  const now = new Date();
  // Not each time: a host that stops often would repeat it all day.
  const isKnown = hookProblemsSince(places.home, new Date(now.getTime() - SILENT_MS).toISOString()).some(
    (problem) => problem.told === true && problem.sessionId === sessionId && problem.code === code,
  );
  const told = isKnown ? {} : { told: true as const };
  const entry = { at: now.toISOString(), hookType: event, sessionId, code, message, ...told };
  const see = logHookProblem(places.home, entry) ? ` See ${hookLogFile(places.home)}` : "";
  await record(call, error);
  if (isOwnCommand(call)) return { refusal: `${uncertain(call, message)}${see}` };
  if (isKnown) return {};
  return {
    message: `⚠️  Babysitter (${ENGINE_ERROR_RULE.code}): ${code}: ${message} The agent may stop; the loop is unchanged.${see}`,
  };
}

/** Given to the model, the text of such a command would be a task for it, and the words of a person. */
function isOwnCommand({ event, harness, input: { command } }: HostHookCall): boolean {
  return (
    event === "user-prompt-expansion" && command !== undefined && harness.words?.verbNamed(command.name) !== undefined
  );
}

function uncertain({ harness: { words } }: HostHookCall, message: string): string {
  const status = words?.typed("status") ?? "babysitter loop:status";
  return `Babysitter: ${message}\nThe command may have taken effect anyway; check with ${status}.`;
}

/** In the journal as well, where that can be written. */
async function record(call: HostHookCall, { code, message }: BabysitterError): Promise<void> {
  try {
    const found = call.registry.find(call.sessionId);
    if (found.kind !== "found" || !found.session.runId || found.session.runDir === undefined) return;
    const journal = await call.machine.loops.openRun(found.session);
    const timestamp = journal.ports.clock.now().toISOString();
    await journal.commit((_, appended) =>
      appended.length > 0 ? [] : [{ type: "ENGINE_ERROR", timestamp, payload: { where: call.event, code, message } }],
    );
  } catch {
    // What broke the hook may well be the journal itself.
  }
}
