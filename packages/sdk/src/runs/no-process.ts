import { BabysitterError } from "../model/errors.js";

/** For commands that replay: a loop that has only a prompt has nothing to replay. */
export function noProcess(runId: string): BabysitterError {
  return new BabysitterError("NO_PROCESS", `Run ${runId} is a loop without a process.`, {
    hint: `To work on it in an agent's session: babysitter loop:resume ${runId}. Status: babysitter loop:status ${runId}`,
    details: { runId },
  });
}
