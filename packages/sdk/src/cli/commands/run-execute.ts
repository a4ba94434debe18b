import { openChosen } from "../../machine/choose-run.js";
import { orchestratorFor } from "../../machine/lifecycle/native-hooks.js";
import { visibleJson } from "../../model/shown-text.js";
import { callerOf } from "../arguments/caller.js";
import { readPayload, runNamedIn } from "../arguments/hook-payload.js";
import { waitOption } from "../grammar/durations.js";
import type { Command, Invocation } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const journal = await openChosen(invocation, await runOf(invocation));
  const answer = await orchestratorFor(callerOf(invocation), journal, waitOption(invocation)).run({}, undefined);
  await journal.saveCaches();
  return {
    document: { ok: true, ...answer, runId: journal.runId },
    text: `${journal.runId} ${visibleJson(answer)}\nnext: babysitter run:iterate ${journal.runId}`,
  };
};

/** Named, or that of the payload which a hook is given. */
async function runOf(invocation: Invocation): Promise<string | undefined> {
  const [named] = invocation.positionals;
  if (named || invocation.options.text("payload") === undefined) return named;
  return runNamedIn(await readPayload(invocation), invocation.cwd);
}
