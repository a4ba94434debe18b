import { callerPorts, type RunCaller } from "../../machine/choose-run.js";
import { whoDrives } from "../../machine/who-drives.js";
import type { RunId } from "../../model/ids.js";
import { defined } from "../../model/json.js";
import type { Ports } from "../../model/ports.js";
import { shownLine } from "../../model/shown-text.js";
import { line } from "../../model/terminal-text.js";
import { type ListedRun, listNewest } from "../../runs/list-runs.js";
import type { RunFilter } from "../../runs/run-filter.js";
import { archivedPorts } from "../../runs/upkeep-of.js";
import type { CommandResult } from "../grammar/invocation.js";
import { isTerminal } from "../output/is-terminal.js";
import { age, alignColumns, shownLength } from "../output/output.js";
import { type Paint, paintState } from "../output/paint.js";

export interface ListOptions {
  open: boolean;
  archived: boolean;
  filter?: RunFilter | undefined;
  most?: number | undefined;
  paint: Paint;
}

/** The runs of a project, the newest first. */
export async function listAnswer(
  caller: RunCaller,
  { open, archived, filter, most, paint }: ListOptions,
): Promise<CommandResult & { document: { runsDir: string; runs: ListedRun[] } }> {
  const ports = callerPorts(caller);
  const query = { open, ...defined({ filter, most }) };
  const { runs, others, all } = await listNewest(archived ? archivedPorts(ports) : ports, query);
  for (const run of runs)
    if (run.state === "running" && run.loop === undefined) run.driven = await isDriven(ports, run);
  // Commands that take an index know nothing of archived runs.
  if (archived) for (const run of runs) delete run.index;
  const places = caller.places();
  const runsDir = archived ? places.archiveDir : places.runsDir;
  const none = all > 0 ? line`No matching runs in ${runsDir} (${all} in all).` : undefined;
  const text =
    runs.length === 0
      ? (none ?? line`No runs in ${runsDir}.`)
      : [
          renderRuns(runs, { paint, now: ports.clock.now() }),
          ...(others > 0 ? [`(${others} older; --limit 0 shows all)`] : []),
        ].join("\n");
  return { document: { runsDir, runs }, text };
}

async function isDriven(ports: Ports, { runId, runDir }: ListedRun): Promise<boolean> {
  return (await whoDrives({ ports, runId: runId as RunId, runDir })).by !== "nobody";
}

/** Columns that a line may take where nobody knows the terminal's. */
const USUAL_WIDTH = 80;
const MIN_WIDTH = 60;
const GAP = 2;
const MIN_PROCESS = "PROCESS".length;

/** One line for each run, and one with the reason where somebody may have to do something about it. */
export function renderRuns(runs: readonly ListedRun[], { paint, now }: { paint: Paint; now: Date }): string {
  const onTerminal = isTerminal(1);
  const width = onTerminal ? Math.max(MIN_WIDTH, process.stdout.columns) : USUAL_WIDTH;
  const hasIndex = runs.some(({ index }) => index !== undefined);
  const rows = [
    [...(hasIndex ? ["#"] : []), "RUN", "STATE", "AGE"],
    ...runs.map(({ index, runId, state, createdAt }) => [
      ...(hasIndex ? [`@${index ?? ""}`] : []),
      onTerminal ? cutName(runId, width - ROOM_BESIDE) : runId,
      paintState(paint, state),
      createdAt === undefined ? "" : age(createdAt, now),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => shownLength(row[column] ?? ""))));
  const left = width - widths.reduce((sum, columns) => sum + columns + GAP, 0);
  // Generated names have the name of the process in them: where there is no room for both, they are enough.
  const processes = ["PROCESS", ...runs.map(({ processId = "", title = processId }) => shownLine(title, left))];
  const table = left < MIN_PROCESS ? rows : rows.map((row, at) => [...row, processes[at] ?? ""]);
  const [heading = "", ...lines] = alignColumns(table).split("\n");
  const indent = hasIndex ? (widths[0] ?? 0) + GAP : GAP;
  const shown = runs.flatMap((run, at) => [lines[at] ?? "", ...whyLines(run, { paint, indent, width })]);
  return [heading, ...shown].join("\n");
}

/** For the index, the state, the age, and the gaps between them. */
const ROOM_BESIDE = 28;
const END_OF_NAME = 7;

/** A name that is too long for a terminal keeps its end, which is what tells runs apart and is a name itself. */
function cutName(runId: string, longest: number): string {
  if (runId.length <= longest) return runId;
  return `${runId.slice(0, longest - END_OF_NAME - 1)}…${runId.slice(-END_OF_NAME)}`;
}

const EXPLAINED: ReadonlySet<ListedRun["state"]> = new Set([
  "waiting",
  "blocked",
  "paused",
  "failed",
  "damaged",
  "foreign",
]);

function whyLines(run: ListedRun, { paint, indent, width }: { paint: Paint; indent: number; width: number }): string[] {
  const said = whyText(run);
  return said === "" ? [] : [`${" ".repeat(indent)}${paint("dim", shownLine(said, width - indent))}`];
}

function whyText({ runId, state, why = "", driven }: ListedRun): string {
  if (state === "damaged") return `It cannot be read; see: babysitter run:check ${runId}`;
  if (driven === false) return `Nobody drives it; to continue: babysitter run ${runId}`;
  return EXPLAINED.has(state) ? why : "";
}
