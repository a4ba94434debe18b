import { callerPorts } from "../../machine/choose-run.js";
import { visibleLine } from "../../model/shown-text.js";
import { listBreakpoints, listOpenBreakpoints } from "../../runs/list-breakpoints.js";
import type { OnUnreadable, UnreadableRun } from "../../runs/unreadable-runs.js";
import { withInboxHint } from "../answers/inbox-hint.js";
import { journalsOf } from "../arguments/find-breakpoint.js";
import type { Command } from "../grammar/invocation.js";
import { age, alignColumns } from "../output/output.js";
import { unreadableLines } from "../output/unreadable-lines.js";

const MAX_QUESTION = 100;

export const command: Command = async (invocation) => {
  const { paint, options, positionals } = invocation;
  const all = options.flag("all-runs");
  const unreadable: UnreadableRun[] = [];
  const onUnreadable: OnUnreadable = (run) => void unreadable.push(run);
  const [named] = positionals;
  const breakpoints =
    all || named !== undefined
      ? await listBreakpoints(await journalsOf(invocation, named, onUnreadable), {
          all,
          ...(named === undefined && { onUnreadable }),
        })
      : await listOpenBreakpoints(callerPorts(invocation), onUnreadable);
  const now = new Date();
  const rows = breakpoints.map(({ breakpointId, runId, state, askedAt, risk, question, title }) => [
    breakpointId,
    ...(all ? [state] : []),
    age(askedAt, now),
    risk === "high" ? paint("red", risk) : visibleLine(risk ?? "", 20),
    runId,
    visibleLine(title === undefined || title === question ? question : `${title}: ${question}`, MAX_QUESTION),
  ]);
  const heading = ["BREAKPOINT", ...(all ? ["STATE"] : []), "AGE", "RISK", "RUN", "QUESTION"];
  const [oldest] = breakpoints.filter(({ state }) => state === "open");
  const next = oldest === undefined ? undefined : `babysitter breakpoint:show ${oldest.breakpointId}`;
  const table =
    rows.length === 0
      ? all
        ? "No questions."
        : "Nothing in this project is waiting for you."
      : alignColumns([heading, ...rows]);
  return {
    document: { breakpoints, ...(unreadable.length > 0 && { unreadable }), next: next ?? null },
    text: [
      table,
      ...unreadableLines(unreadable),
      ...(next === undefined ? [] : [withInboxHint(`next: ${next}`, invocation)]),
    ].join("\n"),
  };
};
