/** `session:init`: writes a session file; the loop in it is taken up at the end of the session's next turn. */
import { DEFAULT_ITERATIONS } from "../../loop/make-contract.js";
import type { SessionFile } from "../../loop/session-file.js";
import type { Command, Invocation } from "../invocation.js";
import { refuseBusySession } from "../loop/bind-session.js";
import { readGoal } from "../loop/read-goal.js";
import { requiredSession } from "../loop/session-command.js";
import { registryOf } from "../loop/session-of.js";
import { numberOption } from "../parse-arguments.js";
import { settingsOf } from "../settings.js";

export const command: Command = async (invocation) => {
  const { options } = invocation;
  const sessionId = requiredSession(invocation);
  const registry = registryOf(invocation);
  await refuseBusySession(invocation, registry, sessionId);
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
  const stateFile = registry.write(sessionId, session);
  return {
    document: { stateFile, sessionId, iteration: 1, maxIterations: session.maxIterations, runId: session.runId },
    text: `Session ${sessionId} is in ${stateFile}`,
  };
};

function hasPrompt({ options, positionals }: Invocation): boolean {
  return positionals.length > 0 || options.text("prompt") !== undefined || options.text("prompt-file") !== undefined;
}

function iterations(invocation: Invocation): number {
  const { values, origins } = settingsOf(invocation, invocation.places().projectRoot);
  if (origins["limits.maxIterations"].source !== "default") return values["limits.maxIterations"];
  return numberOption(invocation.name, invocation.options, "max-iterations") ?? DEFAULT_ITERATIONS;
}
