/** `session:associate`: binds a session to a run. */

import { openChosen } from "../../machine/choose-run.js";
import { bindHere } from "../answers/bind-here.js";
import { requiredSession } from "../arguments/session-command.js";
import type { Command } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const run = invocation.options.text("run-id") ?? invocation.positionals[0];
  if (run === undefined) throw usageError(invocation, "--run-id is missing.");
  const sessionId = requiredSession(invocation);
  const journal = await openChosen(invocation, run);
  const stateFile = await bindHere(invocation, journal, sessionId);
  return {
    document: { stateFile, sessionId, runId: journal.runId, runDir: journal.runDir },
    text: `Session ${sessionId} is now working on ${journal.runId}.`,
  };
};
