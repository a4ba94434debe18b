import { settingsFor } from "../../machine/caller.js";
import { openChosen } from "../../machine/choose-run.js";
import { nativeOrchestrator } from "../../machine/lifecycle/native-hooks.js";
import { callerOf } from "../arguments/caller.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const journal = await openChosen(invocation, invocation.positionals[0]);
  const { projectRoot } = journal.place;
  const { values } = settingsFor(callerOf(invocation), projectRoot);
  const orchestrator = nativeOrchestrator(journal, {
    concurrency: values["driver.concurrency"],
    waitMs: values["iterate.waitMs"],
  });
  const answer = await orchestrator.run({}, undefined);
  await journal.saveCaches();
  return {
    document: { ok: true, ...answer, runId: journal.runId },
    text: `${journal.runId} ${JSON.stringify(answer)}\nnext: babysitter run:iterate ${journal.runId}`,
  };
};
