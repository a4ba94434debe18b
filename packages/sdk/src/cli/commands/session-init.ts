/** `session:init`: writes a session file; the loop in it is taken up at the end of the session's next turn. */

import type { SessionFile } from "../../loop/formats/session-file.js";
import { DEFAULT_ITERATIONS } from "../../loop/rules/make-contract.js";
import { refuseBusySession } from "../../loop-runs/busy-session.js";
import { settingsFor } from "../../machine/caller.js";
import { callerOf } from "../arguments/caller.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { readGoal } from "../arguments/read-goal.js";
import { requiredSession } from "../arguments/session-command.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { numberOption } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const { options } = invocation;
  const sessionId = requiredSession(invocation);
  const machine = loopMakerOf(invocation);
  await refuseBusySession(machine, sessionId);
  const prompt = hasPrompt(invocation) ? await readGoal(invocation) : "";
  const now = new Date().toISOString();
  const promise = options.text("completion-promise");
  const session: SessionFile = {
    active: true,
    iteration: 1,
    maxIterations: iterations(invocation),
    completionPromise: promise ?? null,
    runId: options.text("run-id") ?? "",
    startedAt: now,
    lastIterationAt: now,
    iterationTimes: [],
    prompt,
    unknown: [],
  };
  const stateFile = machine.sessions.write(sessionId, session);
  return {
    document: { stateFile, sessionId, iteration: 1, maxIterations: session.maxIterations, runId: session.runId },
    text: `Session ${sessionId} is in ${stateFile}`,
  };
};

function hasPrompt({ options, positionals }: Invocation): boolean {
  return positionals.length > 0 || options.text("prompt") !== undefined || options.text("prompt-file") !== undefined;
}

function iterations(invocation: Invocation): number {
  const { values, origins } = settingsFor(callerOf(invocation), invocation.places().projectRoot);
  if (origins["limits.maxIterations"].source !== "default") return values["limits.maxIterations"];
  return numberOption(invocation.name, invocation.options, "max-iterations") ?? DEFAULT_ITERATIONS;
}
