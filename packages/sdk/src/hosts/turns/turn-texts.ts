/** What the agent is told at the start of a turn that the driver starts. */
import { runContext } from "../../loop/texts/answer-texts.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { runViewOf } from "../../loop-runs/run-view.js";
import type { LoopState } from "../../model/loop-state.js";
import type { RunJournal } from "../../runs/run-journal.js";

/** Hosts read a prompt that starts with a slash as one of their commands; ours never does, whatever the task is. */
export async function firstText(journal: RunJournal, loop: LoopState, name: string): Promise<string> {
  return [
    `Babysitter run ${name}: work on it until the engine confirms that it is done. Nobody is watching: decide what you can yourself, and leave the run's questions to people.`,
    `Task:\n${await goalOf(journal, loop)}`,
    whatNow(journal, loop, name),
  ].join("\n\n");
}

/** For an agent that knows its task: something happened while it was idle. */
export function continueText(journal: RunJournal, loop: LoopState, name: string): string {
  return [`Babysitter run ${name}: continue. Goal: ${loop.contract.title}`, whatNow(journal, loop, name)].join("\n\n");
}

function whatNow(journal: RunJournal, { contract, steps }: LoopState, name: string): string {
  const run = runViewOf(journal);
  if (run.hasProcess && run.state === "completed")
    return `The run has completed. To get its proof: babysitter run:status ${name} --json (field completionProof). Output it alone on a line, in <promise> tags.`;
  if (run.hasProcess)
    return `${runContext({ run })}\nNow: babysitter run:iterate ${name} --json, then do what is pending yourself and post each result: babysitter task:post ${name} <effectId> --status ok --value <file, or - for stdin>. Breakpoints are for people: do not answer them.`;
  const next = steps.find(({ status }) => status !== "done");
  const step =
    next === undefined ? "" : `Next step: ${next.title} (when done: babysitter loop:step ${name} ${next.id} --done)\n`;
  const checks = contract.criteria.length > 0 ? ` Check it with: babysitter loop:verify ${name} --wait.` : "";
  return `${step}Status: babysitter loop:status ${name}.${checks} Only when everything is really done, output <promise>${contract.promise.text}</promise> alone on a line.`;
}
