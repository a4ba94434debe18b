import { nativeOrchestrator } from "../../machine/lifecycle/native-hooks.js";
import { openChosen } from "../arguments/choose-run.js";
import { settingsOf } from "../arguments/settings.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const journal = await openChosen(invocation, invocation.positionals[0]);
  const { projectRoot } = journal.place;
  const { values } = settingsOf(invocation, projectRoot);
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
