/** Waits for a question to be decided, and says what was decided. */
import { EXIT_CODES, type ExitName } from "../../model/error-codes.js";
import { isFinished } from "../../model/run-state.js";
import { visibleLine } from "../../model/shown-text.js";
import { describeDecision } from "../../runs/decide-breakpoint.js";
import { type BreakpointState, breakpointState, type FoundBreakpoint } from "../../runs/list-breakpoints.js";
import { waitFor } from "../../runs/wait-for.js";
import { durationOf } from "../grammar/durations.js";
import type { CommandResult, Invocation } from "../grammar/invocation.js";
import { nextAfterDecision } from "./next-after-decision.js";

const EXITS: Readonly<Record<BreakpointState, ExitName>> = {
  approved: "ok",
  rejected: "rejected",
  failed: "failed",
  open: "expired",
  abandoned: "cancelled",
};

export function timeoutOf(invocation: Invocation): number | undefined {
  const text = invocation.options.text("timeout");
  if (text === undefined) return undefined;
  return durationOf(invocation.name, "timeout", text);
}

/** Waits, ends a one-question run, and answers with the exit code of what was decided. */
export async function awaitDecision(
  invocation: Invocation,
  found: FoundBreakpoint,
  timeoutMs: number | undefined,
): Promise<CommandResult> {
  const { journal, request } = found;
  const isSettled = (): boolean => request.resolution !== undefined || isFinished(journal.summary);
  await waitFor(journal, () => isSettled() || undefined, { timeoutMs });
  const { state, result } = await breakpointState(journal, request);
  const isDecided = state === "approved" || state === "rejected" || state === "failed";
  const next = isDecided
    ? await nextAfterDecision(invocation, journal)
    : state === "open"
      ? `babysitter breakpoint:show ${request.effectId}`
      : undefined;
  const said = result === undefined ? WORDS[state] : visibleLine(describeDecision(result));
  return {
    document: {
      breakpointId: request.effectId,
      runId: journal.runId,
      runDir: journal.runDir,
      state,
      result: result ?? null,
      next: next ?? null,
    },
    text: next === undefined ? said : `${said}\nnext: ${next}`,
    exitCode: EXIT_CODES[EXITS[state]].exit,
  };
}

const WORDS: Readonly<Record<BreakpointState, string>> = {
  approved: "Approved.",
  rejected: "Rejected.",
  failed: "It ended with an error instead of an answer.",
  open: "Nobody decided in time; the question is still open.",
  abandoned: "The run ended before anyone decided.",
};
