import { BabysitterError } from "../model/errors.js";
import type { LoopState } from "../model/loop-state.js";
import { agentOptions } from "../model/resume-command.js";

/** For commands that replay: a loop that has only a prompt has nothing to replay. `host`: one that can be started. */
export function noProcess(runId: string, loop?: LoopState, host = "<host>"): BabysitterError {
  const agent = agentOptions(loop);
  return new BabysitterError("NO_PROCESS", `Run ${runId} is a loop without a process.`, {
    hint:
      agent === undefined
        ? `To work on it in an agent's session: babysitter loop:resume ${runId}. Without a session: babysitter run ${runId} --agent ${host}`
        : `To start the turns of its agent: babysitter run ${runId} --agent ${agent}`,
    details: { runId },
  });
}
