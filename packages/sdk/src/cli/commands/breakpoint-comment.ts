import { decisionSource, userName } from "../../machine/decision-source.js";
import { type CommentPlace, commentBreakpoint } from "../../runs/comment-breakpoint.js";
import { findNamedBreakpoint } from "../arguments/find-breakpoint.js";
import type { Command, Invocation } from "../grammar/invocation.js";
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
    place: placeIn(invocation),
  });
  await journal.saveCaches();
  const next = `babysitter breakpoint:approve ${effectId}`;
  return {
    document: { breakpointId: effectId, runId: journal.runId, runDir: journal.runDir, comment, comments: count, next },
    text: `Recorded comment ${count} on ${effectId}; the question is still open.\nnext: ${next}    (or: babysitter breakpoint:reject ${effectId} --reason "…")`,
  };
};

function placeIn(invocation: Invocation): CommentPlace | undefined {
  const { options } = invocation;
  const [path, lines] = [options.text("file"), options.text("lines")];
  const side = options.flag("base") ? "base" : undefined;
  if (path === undefined) {
    if (lines === undefined && side === undefined) return undefined;
    throw usageError(invocation, "--lines and --base need --file.");
  }
  if (lines === undefined) return { path, side };
  const [, line, endLine = line] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(lines) ?? [];
  if (line === undefined) throw usageError(invocation, `--lines takes 12 or 12-14, not ${JSON.stringify(lines)}.`);
  return { path, side, line: Number(line), endLine: Number(endLine) };
}
