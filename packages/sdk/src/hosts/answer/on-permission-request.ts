/**
 * The host's dialog with a question of the run is open. Whoever answers first has answered: this waits until the
 * question is decided anywhere else, and then closes the dialog with that decision.
 */

import { isFinished, pendingOf } from "../../model/run-state.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { waitFor } from "../../runs/wait-for.js";
import type { HostAnswer, QuestionDialog, QuestionTool } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { type AskedQuestion, askedQuestion, dialogShown, sessionRun } from "./session-questions.js";

/** Must end before the host's own timeout, which would be reported as a failure. */
const MARGIN_MS = 5_000;

export async function onPermissionRequest(call: HostHookCall): Promise<HostAnswer> {
  const { tool } = call.input;
  const { question } = partsOf(call.harness);
  // A dialog without one of our questions does not concern us.
  if (question === undefined || tool?.name !== question.name) return {};
  if (question.questionIdIn(tool.input) === undefined) return {};
  const journal = await sessionRun(call);
  const asked = journal === undefined ? undefined : await dialogShown(call, journal, tool.input);
  if (journal === undefined || asked === undefined) return {};
  const { effectId } = asked.request;
  if (asked.state !== "open") return closing(question, asked.dialog, asked);
  if (!(await isDecidedElsewhere(call, journal, effectId))) return {};
  const now = await askedQuestion(call, journal, effectId);
  return now === undefined || now.state === "open" ? {} : closing(question, asked.dialog, now);
}

function closing(tool: QuestionTool, dialog: QuestionDialog, { result, state }: AskedQuestion): HostAnswer {
  const words = result === undefined ? WORDS[state] : tool.decisionWords(dialog, result);
  return { allow: { reason: "The question was answered elsewhere.", input: tool.answeredInput(dialog, words) } };
}

const WORDS = {
  open: "",
  approved: "Approved",
  rejected: "Rejected",
  failed: "Not answered: the question ended with an error.",
  abandoned: "Not answered: the run has ended.",
} as const;

/** Waits; false when the dialog is gone or nobody is left to tell. */
async function isDecidedElsewhere(call: HostHookCall, journal: RunJournal, effectId: string): Promise<boolean> {
  const isOver = dialogEnd(journal, effectId);
  const parent = process.ppid;
  const look = (): boolean | undefined => {
    if (pendingOf(journal.summary, effectId) === undefined || isFinished(journal.summary)) return true;
    return isOver() || process.ppid !== parent ? false : undefined;
  };
  return (await waitFor(journal, look, { timeoutMs: Math.max(0, call.deadlineMs - MARGIN_MS) })) ?? false;
}

/** The host does not end its hooks when the person was faster: a dialog that led to no decision shows otherwise. */
function dialogEnd(journal: RunJournal, effectId: string): () => boolean {
  const signs = (): string => {
    const { loop } = journal.summary;
    // Comments that come another way leave the dialog open.
    const comments = pendingOf(journal.summary, effectId)?.comments ?? [];
    const said = comments.filter(({ via }) => via === "hook").length;
    return JSON.stringify([loop?.lastStop?.seq, loop?.turn.promptId, loop?.session?.sessionId, said]);
  };
  const before = signs();
  return () => signs() !== before;
}
