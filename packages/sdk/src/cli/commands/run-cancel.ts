import { openChosen } from "../../machine/choose-run.js";
import { changeSource, decisionSource } from "../../machine/decision-source.js";
import { runName } from "../../machine/run-name.js";
import { cancelHere } from "../answers/cancel-run.js";
import { requirePerson } from "../arguments/choose-loop.js";
import { loopMakerOf } from "../arguments/session-of.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const journal = await openChosen(invocation, invocation.positionals[0]);
  const hasLoop = journal.summary.loop !== undefined;
  const source = hasLoop
    ? requirePerson(invocation, { journal }, "Cancelling a loop")
    : changeSource(decisionSource(invocation));
  const reason = invocation.options.text("reason");
  return cancelHere(loopMakerOf(invocation), journal, {
    reason,
    source,
    runName: runName(invocation, journal),
  });
};
