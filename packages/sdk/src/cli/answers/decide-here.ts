import { answersOf, decisionSource, userName } from "../../machine/decision-source.js";
import { resultTeller } from "../../machine/lifecycle/lifecycle-hooks.js";
import { defined } from "../../model/json.js";
import { visibleLine } from "../../model/shown-text.js";
import {
  type DecisionAnswer,
  type DecisionRequest,
  decideBreakpoint,
  describeDecision,
} from "../../runs/decide-breakpoint.js";
import { callerOf } from "../arguments/caller.js";
import { findNamedBreakpoint, nextAfterDecision } from "../arguments/find-breakpoint.js";
import type { CommandResult, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

/** Decides the question that was named, and says what was recorded. */
export async function decideHere(
  invocation: Invocation,
  answer: Pick<DecisionRequest, "decision" | "feedback" | "response">,
): Promise<CommandResult> {
  // Whoever names a choice or a hash does not mean "whatever it is".
  const empty = ["option", "shown", "response"].find((name) => invocation.options.isEmpty(name));
  if (empty !== undefined) throw usageError(invocation, `--${empty} is empty.`);
  const { journal, request } = await findNamedBreakpoint(invocation);
  const tell = resultTeller(callerOf(invocation), journal);
  const decided = await decideBreakpoint(journal, {
    ...answer,
    effectId: request.effectId,
    by: userName(),
    source: invocation.typed?.source ?? decisionSource(invocation),
    answers: answersOf(invocation, journal),
    ...defined({ shown: invocation.options.text("shown") }),
  });
  await journal.saveCaches();
  if (decided.outcome === "committed") await tell(decided.event);
  const next = await nextAfterDecision(invocation, journal);
  return {
    document: documentOf(decided, { runId: journal.runId, runDir: journal.runDir, next: next ?? null }),
    text: [
      `${decided.outcome === "committed" ? "Recorded" : "Already decided the same way"}: ${visibleLine(describeDecision(decided.result))}`,
      // In a host its agent continues by itself.
      ...(next === undefined || invocation.typed !== undefined
        ? []
        : [`next: ${next}    (unless someone is already driving it)`]),
    ].join("\n"),
  };
}

function documentOf({ outcome, effectId, result }: DecisionAnswer, run: object): object {
  return { breakpointId: effectId, outcome, state: result.approved ? "approved" : "rejected", result, ...run };
}
