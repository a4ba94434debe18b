import { answersOf, decisionSource, userName } from "../../machine/decision-source.js";
import { resultTeller } from "../../machine/lifecycle/lifecycle-hooks.js";
import { whoDrives } from "../../machine/who-drives.js";
import { defined } from "../../model/json.js";
import { pendingOf } from "../../model/run-state.js";
import { quotedLines, visibleLine } from "../../model/shown-text.js";
import { needsName } from "../../model/who-may-decide.js";
import { readQuestion } from "../../runs/asked-question.js";
import {
  type DecisionAnswer,
  type DecisionRequest,
  decideBreakpoint,
  describeDecision,
} from "../../runs/decide-breakpoint.js";
import { type DecisionTerms, matterOf } from "../../runs/decision-checks.js";
import type { FoundBreakpoint } from "../../runs/list-breakpoints.js";
import type { Driving } from "../../runs/standing.js";
import { callerOf } from "../arguments/caller.js";
import { confirmByName } from "../arguments/confirm-by-name.js";
import { findNamedBreakpoint } from "../arguments/find-breakpoint.js";
import type { CommandResult, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { nextAfterDecision } from "./next-after-decision.js";

/** Decides the question that was named, and says what was recorded. */
export async function decideHere(
  invocation: Invocation,
  answer: Pick<DecisionRequest, "decision" | "feedback" | "response">,
): Promise<CommandResult> {
  // Whoever names a choice or a hash does not mean "whatever it is".
  const empty = ["option", "shown", "response"].find((name) => invocation.options.isEmpty(name));
  if (empty !== undefined) throw usageError(invocation, `--${empty} is empty.`);
  const { journal, request } = await findNamedBreakpoint(invocation);
  const terms = await confirmedTerms(invocation, { journal, request });
  const tell = resultTeller(callerOf(invocation), journal);
  const decided = await decideBreakpoint(journal, {
    ...answer,
    effectId: request.effectId,
    by: userName(),
    ...terms,
  });
  await journal.saveCaches();
  if (decided.outcome === "committed") await tell(decided.event);
  const next = await nextAfterDecision(invocation, journal);
  return {
    document: documentOf(decided, { runId: journal.runId, runDir: journal.runDir, next: next ?? null }),
    text: [
      `${decided.outcome === "committed" ? "Recorded" : "Already decided the same way"}: ${visibleLine(describeDecision(decided.result))}`,
      `  ${decided.effectId} of ${journal.runId}`,
      // In a host its agent continues by itself.
      ...(next === undefined || invocation.typed !== undefined ? [] : [nextText(await whoDrives(journal), next)]),
    ].join("\n"),
  };
}

/** Who decides. A question of high risk is shown once more, and whoever sits there types the name of the run. */
async function confirmedTerms(
  invocation: Invocation,
  { journal, request: { effectId } }: FoundBreakpoint,
): Promise<DecisionTerms> {
  const source = invocation.typed?.source ?? decisionSource(invocation);
  const answers = answersOf(invocation, journal);
  const shown = invocation.options.text("shown");
  const pending = pendingOf(journal.summary, effectId);
  const terms = { source, answers, ...defined({ shown }) };
  if (pending === undefined) return terms;
  const question = await readQuestion(journal, pending);
  if (!needsName(source, matterOf(journal.summary, question, answers))) return terms;
  await confirmByName(journal.runId, [
    `${invocation.paint("red", "This question is marked as high risk.")} ${invocation.name === "breakpoint:reject" ? "You are rejecting:" : "You are approving:"}`,
    ...quotedLines(question.question),
    `  ${effectId} of ${journal.runId}; to see it in full: babysitter breakpoint:show ${effectId}`,
  ]);
  return { ...terms, source: { ...source, confirmed: true }, ...defined({ shown: shown ?? pending.shown }) };
}

function nextText({ by, who = "another program" }: Driving, next: string): string {
  return by === "driver" ? `The run continues: ${who} is driving it.` : `next: ${next}`;
}

function documentOf({ outcome, effectId, result }: DecisionAnswer, run: object): object {
  return { breakpointId: effectId, outcome, state: result.approved ? "approved" : "rejected", result, ...run };
}
