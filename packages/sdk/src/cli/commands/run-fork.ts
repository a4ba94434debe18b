import { chooseRun } from "../../machine/choose-run.js";
import { rememberRun } from "../../machine/remember-project.js";
import { runName } from "../../machine/run-name.js";
import { line } from "../../model/terminal-text.js";
import { findStep } from "../../runs/find-step.js";
import { type ForkRequest, forkRun } from "../../runs/fork-run.js";
import { RunJournal } from "../../runs/run-journal.js";
import { stepName } from "../../runs/step-facts.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const { options } = invocation;
  const { ports, runId } = await chooseRun(invocation, invocation.positionals[0]);
  const from = await startOf(invocation, await RunJournal.open(ports, runId));
  const fork = await forkRun(ports, { runId, from, forkId: options.text("run-id") });
  const copy = await RunJournal.open(ports, fork.runId);
  rememberRun(invocation, copy);
  const place = "step" in from ? line`before ${stepName(from.step)}` : `at event ${from.at}`;
  return {
    document: fork,
    text: `Forked ${runId} ${place} as ${fork.runId}\n  ${fork.runDir}\nnext: babysitter run:iterate ${runName(invocation, copy)}`,
  };
};

async function startOf(invocation: Invocation, journal: RunJournal): Promise<ForkRequest["from"]> {
  const { options, name } = invocation;
  const at = numberOption(name, options, "at");
  const step = options.text("at-task");
  if ((at === undefined) === (step === undefined))
    throw usageError(
      { name },
      "give either --at-task with the step to repeat (`babysitter task:list` lists them) or --at with the last event to keep (`babysitter run:events` lists them).",
    );
  if (step === undefined) return { at: at as number };
  const again = `babysitter run:fork ${runName(invocation, journal)} --at-task`;
  return { step: findStep(journal, await journal.index(), { step, command: again }) };
}
