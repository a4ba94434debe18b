import { type ChosenRun, callerPorts, chooseRun } from "../../machine/choose-run.js";
import { type PruneReport, pruneRun, pruneRuns } from "../../runs/prune-runs.js";
import { archivedPorts } from "../../runs/upkeep-of.js";
import { actOnRuns, refuseBoth } from "../answers/several-runs.js";
import { chooseArchived } from "../arguments/choose-archived.js";
import { refuseIndex } from "../arguments/refuse-index.js";
import { filterOf } from "../arguments/run-filter.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";
import { age, alignColumns } from "../output/output.js";
import { unreadableLines } from "../output/unreadable-lines.js";

export const command: Command = async (invocation) => {
  const { options, name } = invocation;
  const ports = callerPorts(invocation);
  const now = ports.clock.now();
  const filter = filterOf(invocation, now);
  const { runsDir } = invocation.places();
  if (filter === undefined) {
    if (invocation.positionals.length === 0)
      throw usageError({ name }, "name the runs, or give a filter such as --older-than 30d.");
    return actOnRuns(invocation, {
      done: "deleted",
      choose: (named) => chooseFinished(invocation, named),
      act: (run) => pruneNamed(invocation, run),
      isFor: () => false,
    });
  }
  refuseBoth(invocation);
  const report = await pruneRuns(ports, {
    filter,
    failed: failedToo(invocation),
    archived: options.flag("archived"),
    keep: numberOption(name, options, "keep") ?? 0,
    dryRun: options.flag("dry-run") || !options.flag("yes"),
  });
  return { document: { runsDir, ...report }, text: render(report, now, options.flag("dry-run")) };
};

function failedToo({ options }: Invocation): boolean {
  return options.flag("failed") || options.texts("state").includes("failed");
}

async function chooseFinished(invocation: Invocation, named: string | undefined): Promise<ChosenRun> {
  const name = refuseIndex(invocation, named);
  if (!invocation.options.flag("archived")) return chooseRun(invocation, name);
  return chooseArchived(invocation, name);
}

async function pruneNamed(invocation: Invocation, { ports, runId }: ChosenRun): Promise<CommandResult> {
  const archived = invocation.options.flag("archived");
  const where = archived ? archivedPorts(ports) : ports;
  const removed = await pruneRun(where, runId, { failed: failedToo(invocation), archived });
  return { document: removed, text: `Deleted ${removed.runId}, ${readable(removed.bytes)}.` };
}

/** `isWanted`: the user has asked to see only what would go. */
function render(report: PruneReport, now: Date, isWanted: boolean): string {
  return [renderRemoved(report, now, isWanted), ...unreadableLines(report.unreadable ?? [])].join("\n");
}

function renderRemoved({ removed, leftovers, bytes, dryRun }: PruneReport, now: Date, isWanted: boolean): string {
  const verb = dryRun ? "Would remove" : "Removed";
  if (removed.length === 0 && leftovers.length === 0) return "Nothing to remove.";
  const rows = [
    ...removed.map((run) => [
      "  ",
      run.runId as string,
      run.archived ? `${run.state}, archived` : run.state,
      `${age(run.lastEventAt, now)} old`,
      readable(run.bytes),
    ]),
    ...leftovers.map((leftover) => ["  ", leftover.path, leftover.what, "", readable(leftover.bytes)]),
  ];
  const runs = `${removed.length} ${removed.length === 1 ? "run" : "runs"}`;
  const rest = leftovers.length === 0 ? "" : ` and ${leftovers.length} leftovers of crashes`;
  const how = dryRun && !isWanted ? " Add --yes to delete them." : "";
  return `${alignColumns(rows)}\n${verb} ${runs}${rest}, ${readable(bytes)}.${how}`;
}

function readable(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
