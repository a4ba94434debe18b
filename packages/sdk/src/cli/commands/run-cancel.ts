import { openChosen } from "../../machine/choose-run.js";
import { changeSource, decisionSource } from "../../machine/decision-source.js";
import { runName } from "../../machine/run-name.js";
import { isOpen } from "../../runs/list-runs.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { cancelHere } from "../answers/cancel-run.js";
import { actOnRuns } from "../answers/several-runs.js";
import { requirePerson } from "../arguments/choose-loop.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { defaultChoice } from "../arguments/own-run.js";
import { refuseIndex } from "../arguments/refuse-index.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";

export const command: Command = (invocation) =>
  actOnRuns(invocation, {
    done: "cancelled",
    choose: (named) => openChosen(invocation, refuseIndex(invocation, named), defaultChoice(invocation)),
    act: (journal) => cancel(invocation, journal),
    isFor: (state) => isOpen({ state }) && state !== "damaged",
  });

async function cancel(invocation: Invocation, journal: RunJournal): Promise<CommandResult> {
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
}
