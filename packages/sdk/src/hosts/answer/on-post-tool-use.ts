/** The host's dialog was closed: what the person decided there is recorded from what the host says, not the agent. */

import { runViewOf } from "../../loop-runs/run-view.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import { visibleLine } from "../../model/shown-text.js";
import { commentBreakpoint } from "../../runs/comment-breakpoint.js";
import { decideBreakpoint, describeDecision } from "../../runs/decide-breakpoint.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { DialogAnswer, HostAnswer } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { isForged } from "./is-forged.js";
import { HOST_DIALOG } from "./on-ask-user.js";
import { type AskedQuestion, continueHint, dialogShown, sessionRun } from "./session-questions.js";

export async function onPostToolUse(call: HostHookCall): Promise<HostAnswer> {
  const { tool } = call.input;
  const { question } = partsOf(call.harness);
  if (question === undefined || tool?.name !== question.name) return {};
  const journal = await sessionRun(call);
  if (journal === undefined || isForged(call, ["person"])) return {};
  const asked = await dialogShown(call, journal, tool.input);
  if (asked === undefined) return ownQuestion(journal, question.name);
  if (asked.state !== "open") return { context: settledText(call, journal, asked) };
  const answer = question.answerIn(tool.response, asked.dialog);
  const context = await refusalAsText(asked.request.effectId, () => record(call, journal, asked, answer));
  await journal.saveCaches();
  return { context };
}

/** An agent that has asked in words of its own must not take the answer for the run's. */
function ownQuestion(journal: RunJournal, tool: string): HostAnswer {
  const [effectId] = runViewOf(journal).openQuestions;
  if (effectId === undefined) return {};
  return {
    context: `That was your own question; nothing was recorded for the run, and ${effectId} is still open. ${askAgain(effectId, tool)}`,
  };
}

async function record(
  call: HostHookCall,
  journal: RunJournal,
  { request, shown }: AskedQuestion,
  answer: DialogAnswer,
): Promise<string> {
  const { effectId } = request;
  const by = call.machine.userName();
  if (answer.kind === "none") return `Nobody answered ${effectId}; nothing was recorded, and the run waits.`;
  if (answer.kind === "comment") {
    await commentBreakpoint(journal, { effectId, text: answer.text, by, source: HOST_DIALOG });
    return `What the user wrote is recorded as a comment on ${effectId}, which is still open: only choosing one of its answers decides it. Do what the user asks. ${askAgain(effectId, call.input.tool?.name ?? "")}`;
  }
  const { choice, notes } = answer;
  const isPlainNo = choice === "reject";
  const tell = call.machine.resultTeller(journal);
  const { result, event } = await decideBreakpoint(journal, {
    effectId,
    decision: choice,
    ...(isPlainNo ? { feedback: notes ?? NO_REASON } : defined({ response: notes })),
    by,
    source: HOST_DIALOG,
    answers: call.machine.answersIn(journal),
    ...defined({ shown }),
  });
  await tell(event);
  return `Recorded for ${effectId}: ${visibleLine(describeDecision(result))} ${continueHint(call, journal)}`;
}

const NO_REASON = "Rejected in the agent's dialog, without a reason.";

function askAgain(effectId: string, tool: string): string {
  return `To put the run's question to the user, call ${tool} with \`${effectId}\` as the question: its text and answers are filled in from the run.`;
}

/** A refusal is no defect: the agent has to know, and the question is as open as before. */
async function refusalAsText(effectId: string, act: () => Promise<string>): Promise<string> {
  try {
    return await act();
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return `The answer to ${effectId} was not recorded: ${visibleLine(error.message)} ${visibleLine(error.hint ?? "")}`.trim();
  }
}

/** Someone was faster, or the run is over. */
function settledText(call: HostHookCall, journal: RunJournal, { request, state, result }: AskedQuestion): string {
  const { effectId } = request;
  if (state === "abandoned") return `The run has ended; ${effectId} no longer needs an answer.`;
  const what = result === undefined ? state : visibleLine(describeDecision(result));
  return `${effectId} was already decided, and that decision stays: ${what} ${continueHint(call, journal)}`;
}
