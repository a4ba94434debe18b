import { callerPorts } from "../../machine/choose-run.js";
import { hasOtherProjects, projectsEverywhere } from "../../machine/report-everywhere.js";
import { titledQuestion } from "../../model/breakpoint-question.js";
import { defined } from "../../model/json.js";
import type { Ports } from "../../model/ports.js";
import { commandFor } from "../../model/report-words.js";
import { shellQuoted } from "../../model/shell-quoted.js";
import { visibleLine } from "../../model/shown-text.js";
import {
  type BreakpointListing,
  listBreakpoints,
  listOpenBreakpoints,
  openJournals,
} from "../../runs/list-breakpoints.js";
import type { OnUnreadable, UnreadableRun } from "../../runs/unreadable-runs.js";
import { withInboxHint } from "../answers/inbox-hint.js";
import { journalsOf } from "../arguments/find-breakpoint.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { screenHere } from "../output/for-screen.js";
import { isTerminal } from "../output/is-terminal.js";
import { namedRun } from "../output/named-run.js";
import { age, alignColumns, shownLength } from "../output/output.js";
import { unreadableLines } from "../output/unreadable-lines.js";

const MAX_QUESTION = 100;
const MIN_QUESTION = 30;
const GAP = 2;

export const command: Command = async (invocation) => {
  const { paint, options, positionals } = invocation;
  const all = options.flag("all-runs");
  const unreadable: UnreadableRun[] = [];
  const onUnreadable: OnUnreadable = (run) => void unreadable.push(run);
  const [named] = positionals;
  const isEverywhere = options.flag("all-projects");
  if (isEverywhere && named !== undefined) throw usageError(invocation, "name a run or --all-projects, not both.");
  const breakpoints: Listed[] = isEverywhere
    ? await listEverywhere(invocation, all, onUnreadable)
    : named === undefined
      ? await listAll(callerPorts(invocation), all, onUnreadable)
      : await listBreakpoints(await journalsOf(invocation, named), { all });
  const now = new Date();
  const hasRisks = breakpoints.some(({ risk }) => risk !== undefined);
  const heading = ["BREAKPOINT", ...(all ? ["STATE"] : []), "AGE", ...(hasRisks ? ["RISK"] : []), "RUN"];
  const rows = breakpoints.map(({ breakpointId, runId, project, state, askedAt, risk }) => [
    breakpointId,
    ...(all ? [state] : []),
    age(askedAt, now),
    ...(hasRisks ? [risk === "high" ? paint("red", risk) : visibleLine(risk ?? "", 20)] : []),
    namedRun({ runId, ...defined({ project }) }),
  ]);
  const [oldest] = breakpoints.filter(({ state }) => state === "open");
  const next = oldest === undefined ? undefined : commandFor(oldest, "breakpoint:show", oldest.breakpointId);
  const table =
    rows.length === 0
      ? all
        ? "No questions."
        : nothingText(invocation, isEverywhere)
      : listText([heading, ...rows], ["QUESTION", ...breakpoints.map(titledQuestion)]);
  return {
    document: { breakpoints, ...(unreadable.length > 0 && { unreadable }), next: next ?? null },
    text: [
      table,
      ...unreadableLines(isEverywhere ? unreadable.map(namedByFolder) : unreadable),
      ...(next === undefined ? [] : [withInboxHint(`next: ${next}`, invocation)]),
    ].join("\n"),
  };
};

/** `project`: its folder, where those of several are listed. */
type Listed = BreakpointListing & { project?: string };

async function listAll(ports: Ports, all: boolean, onUnreadable: OnUnreadable): Promise<Listed[]> {
  if (!all) return listOpenBreakpoints(ports, onUnreadable);
  return listBreakpoints(await openJournals(ports, undefined, onUnreadable), { all, onUnreadable });
}

async function listEverywhere({ env, places }: Invocation, all: boolean, onUnreadable: OnUnreadable) {
  const rows: Listed[] = [];
  for (const { project, ports } of projectsEverywhere(env, places()))
    rows.push(...(await listAll(ports, all, onUnreadable)).map((row) => ({ ...row, project })));
  return rows.toSorted((a, b) => Date.parse(a.askedAt) - Date.parse(b.askedAt));
}

function namedByFolder({ runDir, why }: UnreadableRun): { runId: string; why: string } {
  return { runId: shellQuoted(runDir), why };
}

function nothingText({ env, places }: Invocation, isEverywhere: boolean): string {
  if (isEverywhere) return "Nothing is waiting for you in any of your projects.";
  const here = "Nothing in this project is waiting for you.";
  return hasOtherProjects(env, places().runsDir)
    ? `${here} For all of yours: babysitter breakpoint:list --all-projects`
    : here;
}

/** Each question stands at the end of its row, or below it where a terminal has no room beside the rows. */
function listText(rows: readonly string[][], questions: readonly string[]): string {
  const width = isTerminal(1) ? screenHere().columns : Number.POSITIVE_INFINITY;
  const table = alignColumns(rows).split("\n");
  const room = width - Math.max(...table.map(shownLength)) - GAP;
  if (room >= MIN_QUESTION)
    return alignColumns(
      rows.map((row, at) => [...row, visibleLine(questions[at] ?? "", Math.min(room - 1, MAX_QUESTION))]),
    );
  return table
    .flatMap((row, at) => (at === 0 ? [row] : [row, `  ${visibleLine(questions[at] ?? "", width - GAP - 1)}`]))
    .join("\n");
}
