import { callerPorts } from "../../machine/choose-run.js";
import { type PruneReport, pruneRuns } from "../../runs/prune-runs.js";
import type { Command } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";
import { age, alignColumns } from "../output/output.js";

export const command: Command = async (invocation) => {
  const { options, name } = invocation;
  const wanted = options.text("older-than");
  if (wanted === undefined) throw usageError({ name }, "--older-than is missing, such as --older-than 30d.");
  const milliseconds = parseAge(wanted);
  if (milliseconds === undefined)
    throw usageError({ name }, `--older-than must be a number followed by h, d or w, not ${JSON.stringify(wanted)}.`);
  const keep = numberOption(name, options, "keep") ?? 0;
  const ports = callerPorts(invocation);
  const now = ports.clock.now();
  const report = await pruneRuns(ports, {
    before: new Date(now.getTime() - milliseconds),
    failed: options.flag("failed"),
    archived: options.flag("archived"),
    keep,
    dryRun: options.flag("dry-run"),
  });
  return { document: { runsDir: invocation.places().runsDir, ...report }, text: render(report, now) };
};

const HOUR_MS = 60 * 60 * 1000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

function parseAge(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(amount) * (UNITS[unit] as number);
}

function render({ removed, leftovers, bytes, dryRun }: PruneReport, now: Date): string {
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
  return `${alignColumns(rows)}\n${verb} ${runs}${rest}, ${readable(bytes)}.`;
}

function readable(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
