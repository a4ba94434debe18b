import { pauseLoop } from "../../loop-runs/change-loop.js";
import { writeSessionView } from "../../machine/loops/session-view.js";
import { chooseLoop, requirePerson } from "../arguments/choose-loop.js";
import { runName } from "../arguments/choose-run.js";
import { registryOf } from "../arguments/session-of.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const chosen = await chooseLoop(invocation);
  requirePerson(invocation, chosen, "Pausing a loop");
  const { journal } = chosen;
  const reason = invocation.options.text("reason") ?? "Paused by request.";
  const paused = await pauseLoop(journal, { code: "by_request", message: reason, by: "person" });
  await writeSessionView(registryOf(invocation), journal);
  const resume = `babysitter loop:resume ${runName(invocation, journal)}`;
  return {
    document: {
      runId: journal.runId,
      runDir: journal.runDir,
      paused,
      reason: journal.summary.loop?.paused ?? null,
      next: resume,
    },
    text: `${paused ? "Paused" : "Already paused:"} ${journal.runId}\nThe agent may stop at the end of its turn. To resume: ${resume}`,
  };
};
