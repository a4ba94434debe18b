import { visibleLine } from "../../model/shown-text.js";
import { listBreakpoints } from "../../runs/list-breakpoints.js";
import { journalsOf } from "../arguments/find-breakpoint.js";
import type { Command } from "../grammar/invocation.js";
import { age, alignColumns } from "../output/output.js";

const MAX_QUESTION = 100;

export const command: Command = async (invocation) => {
  const { paint, options, positionals } = invocation;
  const all = options.flag("all-runs");
  const breakpoints = await listBreakpoints(await journalsOf(invocation, positionals[0]), { all });
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
    rows.length === 0 ? (all ? "No questions." : "Nothing is waiting for you.") : alignColumns([heading, ...rows]);
  return {
    document: { breakpoints, next: next ?? null },
    text: next === undefined ? table : `${table}\nnext: ${next}`,
  };
};
