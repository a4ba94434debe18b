import crypto from "node:crypto";
import { DEFAULT_ITERATIONS } from "../../loop/rules/make-contract.js";
import { scoreSpec } from "../../loop/rules/spec-rubric.js";
import { refuseUnknownCommands } from "../../machine/loops/refuse-unknown-commands.js";
import { BabysitterError } from "../../model/errors.js";
import type { LoopContract } from "../../model/loop-contract.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { runName } from "../arguments/choose-run.js";
import { contractFrom } from "../arguments/contract-options.js";
import { newLoop } from "../arguments/new-loop.js";
import { readGoal } from "../arguments/read-goal.js";
import { sessionOf } from "../arguments/session-of.js";
import type { Command, Invocation } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const goal = await readGoal(invocation);
  const shape = judgeSpec(invocation, goal);
  const { contract, warnings } = await contractFrom(invocation, goal, {
    iterations: DEFAULT_ITERATIONS,
    nonce: crypto.randomBytes(3).toString("hex"),
    ...shape,
  });
  refuseUnknownCommands(invocation.places().projectRoot, contract.criteria);
  const runId = invocation.options.text("run-id");
  const journal = await newLoop(invocation, {
    contract,
    goal,
    iteration: 1,
    ...(runId === undefined ? {} : { runId }),
  });
  return { document: documentOf(journal, warnings), text: textOf(invocation, journal, warnings) };
};

/** A list of steps is work that somebody is left alone with; whether it is clear enough is judged before. */
function judgeSpec(invocation: Invocation, goal: string): Partial<Pick<LoopContract, "shape">> {
  const { options } = invocation;
  if (options.texts("step").length === 0 || options.text("shape") !== undefined) return {};
  const { score, shape, questions } = scoreSpec(goal, {
    commands: [...options.texts("criteria"), ...options.texts("fast-criteria")],
    claims: options.texts("claim"),
    mustNots: options.texts("must-not"),
    protects: options.texts("protect"),
  });
  if (shape !== "refused") return { shape };
  if (sessionOf(invocation) !== undefined || process.stdin.isTTY) return { shape: "colleague" };
  throw new BabysitterError("LOOP_SPEC_WEAK", `The task is not clear enough for unattended work (${score} of 10).`, {
    hint: `Answer in the task: ${questions.join(" ")} Or use --shape colleague to review every few iterations.`,
    details: { score, questions },
  });
}

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

function textOf(invocation: Invocation, journal: RunJournal, warnings: string[]): string {
  const { loop } = journal.summary;
  if (loop === undefined) return "";
  const { contract } = loop;
  const name = runName(invocation, journal);
  const { iterations, usd } = contract.limits;
  return [
    ...warnings.map((warning) => `warning: ${warning}`),
    `🔄 Babysitter loop ${journal.runId}`,
    `goal:    ${contract.title}`,
    `ends:    ${endsWhen(contract)}`,
    `limits:  ${iterations === 0 ? "no iteration limit" : `${iterations} iterations`}${usd === undefined ? "" : `, $${usd.toFixed(2)}`}`,
    `to stop: babysitter loop:pause ${name}, or loop:cancel ${name}`,
    ...(loop.session === undefined
      ? ["No agent is working on it yet. In an agent's session, run: babysitter loop:resume " + name]
      : [`session: ${loop.session.sessionId}`]),
    `next:    babysitter loop:status ${name}`,
  ].join("\n");
}

export function endsWhen({ criteria, promise, steps }: LoopContract): string {
  const checked = criteria.filter(({ kind }) => kind !== "claim").map(({ id }) => id);
  const said = `the agent says <promise>${promise.text}</promise>`;
  const stepsDone = steps.length === 0 ? "" : `, all ${steps.length} steps are done`;
  return checked.length === 0
    ? `${said}${stepsDone} (by claim: the engine has nothing to check)`
    : `${said}${stepsDone}, and the engine has verified: ${checked.join(", ")}`;
}
