/** `session:resume`: resumes a run in a session, as `/babysitter:resume` does. */

import { resumePrompt } from "../../loop-runs/bind-run.js";
import { openChosen } from "../../machine/choose-run.js";
import { statusOf } from "../../model/run-state.js";
import { bindHere } from "../answers/bind-here.js";
import { requiredSession } from "../arguments/session-command.js";
import type { Command } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const run = invocation.options.text("run-id") ?? invocation.positionals[0];
  if (run === undefined) throw usageError(invocation, "--run-id is missing.");
  const sessionId = requiredSession(invocation);
  const journal = await openChosen(invocation, run);
  const stateFile = await bindHere(invocation, journal, sessionId, resumePrompt(journal));
  const { loop, created } = journal.summary;
  return {
    document: {
      stateFile,
      sessionId,
      runId: journal.runId,
      runDir: journal.runDir,
      runState: statusOf(journal.summary),
      processId: created.processId,
      iteration: loop?.iteration ?? 1,
      maxIterations: loop?.contract.limits.iterations ?? 0,
    },
    text: `Session ${sessionId} continues ${journal.runId} (${statusOf(journal.summary)}).`,
  };
};
