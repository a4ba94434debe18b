/** The commands that put finished runs away. */
import { type CommandSpec, flag, text } from "./command-spec.js";
import { ACTION_FILTER } from "./filter-options.js";

export const UPKEEP_COMMANDS: readonly CommandSpec[] = [
  {
    name: "run:archive",
    summary: "Archive a finished run, or restore it.",
    positionals: [
      {
        name: "run",
        optional: true,
        many: true,
        help: "Run IDs or run directories (default: the run that ended last; with --restore, the only archived run).",
      },
    ],
    options: {
      failed: flag("Archive the run even if it failed."),
      restore: flag("Restore an archived run."),
      ...ACTION_FILTER,
    },
    details:
      "With a filter, matching finished runs are only listed; add --yes to archive them. Moves the run atomically to the archive folder next to the runs. run:list --archived lists archived runs.",
  },
  {
    name: "run:prune",
    summary: "Delete old finished runs and files left behind by crashes.",
    positionals: [
      { name: "run", optional: true, many: true, help: "Run IDs or run directories, instead of a filter." },
    ],
    options: {
      ...ACTION_FILTER,
      failed: flag("Include failed runs."),
      archived: flag("Include archived runs."),
      keep: text("n", "Keep the newest n finished runs, however old they are."),
      "dry-run": flag("Only show what would be deleted."),
    },
    details:
      "Deletes completed and cancelled runs. Never touches open or damaged runs, or runs of other tools. Named runs are deleted immediately. With a filter, matching runs are only listed; add --yes to delete them.",
    examples: ["babysitter run:prune --older-than 30d --keep 10", "babysitter run:prune --older-than 30d --yes"],
  },
];
