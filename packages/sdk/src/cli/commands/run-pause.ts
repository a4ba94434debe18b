import { pauseLoop } from "../../loop-runs/change-loop.js";
import { runName } from "../choose-run.js";
import type { Command } from "../invocation.js";
import { chooseLoop, requirePerson } from "../loop/choose-loop.js";
import { registryOf } from "../loop/session-of.js";
import { writeSessionView } from "../loop/session-view.js";

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
    text: `${paused ? "Paused" : "It was paused already:"} ${journal.runId}\nThe agent may stop at the end of its turn. To go on: ${resume}`,
  };
};
