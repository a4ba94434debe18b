import { decisionSource, userName } from "../../machine/decision-source.js";
import { commentBreakpoint } from "../../runs/comment-breakpoint.js";
import { findNamedBreakpoint } from "../arguments/find-breakpoint.js";
import type { Command } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const text = invocation.options.text("text");
  if (text === undefined) throw usageError(invocation, "--text is missing.");
  const { journal, request } = await findNamedBreakpoint(invocation);
  const { effectId, comment, count } = await commentBreakpoint(journal, {
    effectId: request.effectId,
    text,
    by: userName(),
    source: decisionSource(invocation),
  });
  await journal.saveCaches();
  const next = `babysitter breakpoint:approve ${effectId}`;
  return {
    document: { breakpointId: effectId, runId: journal.runId, runDir: journal.runDir, comment, comments: count, next },
    text: `Recorded comment ${count} on ${effectId}; the question is still open.\nnext: ${next}    (or breakpoint:reject ${effectId} --reason "…")`,
  };
};
