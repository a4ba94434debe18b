import { endsWhen, limitsText } from "../../loop/texts/contract-words.js";
import { specLine } from "../../loop/texts/spec-line.js";
import { type OrderedLoop, orderLoop } from "../../loop-runs/order-loop.js";
import { runName } from "../../machine/run-name.js";
import { shownMessage } from "../../model/shown-text.js";
import { line } from "../../model/terminal-text.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { waysToWork } from "../answers/ways-to-work.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { loopTerms } from "../arguments/loop-terms.js";
import { readGoal } from "../arguments/read-goal.js";
import { refuseUnhooked } from "../arguments/refuse-unhooked.js";
import { hostSessionOf } from "../arguments/session-of.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { isTerminal } from "../output/is-terminal.js";
import { onScreen } from "../output/wrapped.js";

export const command: Command = async (invocation) => {
  await refuseUnhooked(invocation);
  const goal = await readGoal(invocation);
  const session = hostSessionOf(invocation);
  const { journal, warnings, spec } = await orderLoop(loopMakerOf(invocation), {
    goal,
    terms: loopTerms(invocation),
    runId: invocation.options.text("run-id"),
    session,
    // A task may be piped in by someone who sits at the terminal.
    isAttended: session !== undefined || isTerminal(0) || isTerminal(2),
  });
  const { score, questions } = spec ?? {};
  return {
    document: { ...documentOf(journal, warnings), spec: spec === undefined ? null : { score, questions } },
    text: textOf(invocation, { journal, warnings, spec }),
  };
};

function documentOf(journal: RunJournal, warnings: string[]): object {
  const { loop } = journal.summary;
  return {
    runId: journal.runId,
    runDir: journal.runDir,
    contract: loop?.contract,
    session: loop?.session ?? null,
    warnings,
  };
}

/** As wide as the word before each line. */
const HANG = " ".repeat(9);

function textOf(invocation: Invocation, { journal, warnings, spec }: OrderedLoop): string {
  const { loop } = journal.summary;
  if (loop === undefined) return "";
  const { contract } = loop;
  const name = runName(invocation, journal);
  return [
    ...warnings.map((warning) => onScreen(`warning: ${shownMessage(warning)}`, HANG)),
    `🔄 Babysitter loop ${journal.runId}`,
    line`goal:    ${contract.title}`,
    ...(spec === undefined ? [] : [onScreen(specLine(spec, contract), HANG)]),
    onScreen(`ends:    ${endsWhen(contract)}`, HANG),
    onScreen(`limits:  ${limitsText(contract.limits)}`, HANG),
    line`to stop: babysitter loop:pause ${name}, or babysitter loop:cancel ${name}`,
    ...(loop.session === undefined
      ? [`No agent is working on it yet. ${waysToWork(name)}`]
      : [line`session: ${loop.session.sessionId}`]),
    line`next:    babysitter loop:status ${name}`,
  ].join("\n");
}
