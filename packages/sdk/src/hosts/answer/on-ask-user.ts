/**
 * The agent is about to ask its person something. When that is a question of the run, the dialog is made from the
 * journal: the person decides by the run's words, never by the agent's.
 */

import { visibleLine } from "../../model/shown-text.js";
import { type DecisionSource, whyNotDecide } from "../../model/who-may-decide.js";
import { describeDecision } from "../../runs/decide-breakpoint.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { HostAnswer } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { askedQuestion, continueHint, openQuestions, type PendingQuestion, sessionRun } from "./session-questions.js";

/** Only the host can show its dialog, and only a person can answer there. */
export const HOST_DIALOG: DecisionSource = { via: "hook", verified: true };

export async function onAskUser(call: HostHookCall): Promise<HostAnswer> {
  const { tool } = call.input;
  const { question } = partsOf(call.harness);
  if (question === undefined || tool?.name !== question.name) return {};
  const journal = await sessionRun(call);
  if (journal === undefined) return {};
  const meant = question.meantQuestion(tool.input, await openQuestions(journal));
  if (meant === undefined) return alreadyDecided(call, journal, question.idsNamed(tool.input));
  const deny = whyNotHere(call, journal, meant);
  if (deny !== undefined) return { deny };
  return { ask: { input: question.dialogFor(meant).input } };
}

/** Nobody is asked a second time; what names no question of the run is the agent's own and none of our business. */
async function alreadyDecided(call: HostHookCall, journal: RunJournal, ids: readonly string[]): Promise<HostAnswer> {
  for (const id of ids) {
    const { state, result } = (await askedQuestion(call, journal, id)) ?? {};
    if (state !== undefined && state !== "open")
      return {
        deny: `${id} no longer needs an answer: ${result === undefined ? state : visibleLine(describeDecision(result))} ${continueHint(call, journal)}`,
      };
  }
  return {};
}

function whyNotHere(
  call: HostHookCall,
  journal: RunJournal,
  { effectId, question }: PendingQuestion,
): string | undefined {
  const answers = call.machine.answersIn(journal);
  const refusal = whyNotDecide(HOST_DIALOG, { bound: true, risk: question.risk, answers });
  if (refusal === undefined) return undefined;
  return `${effectId}: ${refusal.message} ${refusal.hint.replaceAll("<id>", effectId)} Tell your user and end your turn; the run waits.`;
}
