import { drivenHosts } from "../../hosts/host-parts.js";
import { isClaimOnly } from "../../loop/rules/criterion-kinds.js";
import { specLine } from "../../loop/texts/spec-line.js";
import { type OrderedLoop, orderLoop } from "../../loop-runs/order-loop.js";
import { runName } from "../../machine/run-name.js";
import type { LoopContract } from "../../model/loop-contract.js";
import { shownMessage } from "../../model/shown-text.js";
import { line } from "../../model/terminal-text.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { loopMakerOf } from "../arguments/loop-maker-of.js";
import { loopTerms } from "../arguments/loop-terms.js";
import { readGoal } from "../arguments/read-goal.js";
import { refuseUnhooked } from "../arguments/refuse-unhooked.js";
import { hostSessionOf } from "../arguments/session-of.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { isTerminal } from "../output/is-terminal.js";

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

function textOf(invocation: Invocation, { journal, warnings, spec }: OrderedLoop): string {
  const { loop } = journal.summary;
  if (loop === undefined) return "";
  const { contract } = loop;
  const name = runName(invocation, journal);
  const { iterations, usd } = contract.limits;
  return [
    ...warnings.map((warning) => `warning: ${shownMessage(warning)}`),
    `🔄 Babysitter loop ${journal.runId}`,
    line`goal:    ${contract.title}`,
    ...(spec === undefined ? [] : [specLine(spec)]),
    line`ends:    ${endsWhen(contract)}`,
    `limits:  ${iterations === 0 ? "no iteration limit" : `${iterations} iterations`}${usd === undefined ? "" : `, $${usd.toFixed(2)}`}`,
    line`to stop: babysitter loop:pause ${name}, or loop:cancel ${name}`,
    ...(loop.session === undefined
      ? [
          line`No agent is working on it yet. In an agent's session, run: babysitter loop:resume ${name}`,
          line`Or without a session, run: babysitter run ${name} --agent ${drivenHosts()[0] ?? ""}`,
        ]
      : [line`session: ${loop.session.sessionId}`]),
    line`next:    babysitter loop:status ${name}`,
  ].join("\n");
}

function endsWhen({ criteria, promise, steps }: LoopContract): string {
  const checked = criteria.filter((criterion) => !isClaimOnly(criterion)).map(({ id }) => id);
  const said = `the agent says <promise>${promise.text}</promise>`;
  const stepsDone = steps.length === 0 ? "" : `, all ${steps.length} steps are done`;
  return checked.length === 0
    ? `${said}${stepsDone} (by claim: the engine has nothing to check)`
    : `${said}${stepsDone}, and the engine has verified: ${checked.join(", ")}`;
}
