/** The questions of the run that a session works on. */

import type { BreakpointResult } from "../../model/breakpoint-result.js";
import { defined, type JsonObject } from "../../model/json.js";
import { type RecordedRequest, requestOf } from "../../model/replay-index.js";
import { isFinished, type PendingEffect, pendingOf } from "../../model/run-state.js";
import { readQuestion } from "../../runs/asked-question.js";
import { type BreakpointState, breakpointState } from "../../runs/list-breakpoints.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { OpenQuestion, QuestionDialog } from "../host.js";
import { partsOf } from "../host-parts.js";
import type { HostHookCall } from "./host-call.js";
import { sessionLoop } from "./session-loop.js";

/** The run of the session, paused or not; another session's is nothing that this one's person is asked about. */
export async function sessionRun(call: HostHookCall): Promise<RunJournal | undefined> {
  const { sessionId } = call;
  const { journal, standing } = await sessionLoop(call);
  return standing.kind === "bound" && standing.state.session?.sessionId === sessionId ? journal : undefined;
}

export interface PendingQuestion extends OpenQuestion {
  pending: PendingEffect;
}

/** Questions that people can see. */
export async function openQuestions(journal: RunJournal): Promise<PendingQuestion[]> {
  if (isFinished(journal.summary)) return [];
  const open: PendingQuestion[] = [];
  for (const pending of Object.values(journal.summary.pending)) {
    const { kind, shown, effectId } = pending;
    if (kind === "breakpoint" && shown !== undefined)
      open.push({ pending, effectId, shown, question: await readQuestion(journal, pending) });
  }
  return open;
}

/** A question of the run, whatever has become of it. */
export interface AskedQuestion {
  request: RecordedRequest;
  state: BreakpointState;
  result?: BreakpointResult;
  /** Hash of what belongs to it, and how it looks in the host; undefined as long as nobody can see it. */
  shown?: string;
  dialog?: QuestionDialog;
}

export async function askedQuestion(
  { harness }: Pick<HostHookCall, "harness">,
  journal: RunJournal,
  effectId: string,
): Promise<AskedQuestion | undefined> {
  const request = requestOf(await journal.index(), effectId);
  if (request?.kind !== "breakpoint") return undefined;
  const { state, result } = await breakpointState(journal, request);
  const shown = pendingOf(journal.summary, effectId)?.shown ?? result?.shown;
  if (shown === undefined) return { request, state, ...defined({ result }) };
  const question = await readQuestion(journal, { request, ...defined({ title: request.title }) });
  const dialog = partsOf(harness).question?.dialogFor({ effectId, shown, question });
  return { request, state, ...defined({ result, dialog }), shown };
}

/** The question that this dialog shows, byte for byte, or undefined when it shows something else. */
export async function dialogShown(
  call: Pick<HostHookCall, "harness">,
  journal: RunJournal,
  input: JsonObject,
): Promise<(AskedQuestion & { dialog: QuestionDialog }) | undefined> {
  const { question } = partsOf(call.harness);
  const id = question?.questionIdIn(input);
  const asked = id === undefined ? undefined : await askedQuestion(call, journal, id);
  const dialog = asked?.dialog;
  if (asked === undefined || dialog === undefined || question?.isDialog(input, dialog) !== true) return undefined;
  return { ...asked, dialog };
}

/** What the agent is to do once a question is decided. */
export function continueHint({ machine }: HostHookCall, journal: RunJournal): string {
  return `Continue with: babysitter run:iterate ${machine.runName(journal)}`;
}
