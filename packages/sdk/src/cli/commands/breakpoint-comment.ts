import { commentBreakpoint } from "../../runs/comment-breakpoint.js";
import { decisionSource, userName } from "../decision-source.js";
import { findNamedBreakpoint } from "../find-breakpoint.js";
import type { Command } from "../invocation.js";
import { usageError } from "../parse-arguments.js";

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
    text: `Comment ${count} on ${effectId} is recorded; the question is still open.\nnext: ${next}    (or breakpoint:reject ${effectId} --reason "…")`,
  };
};
