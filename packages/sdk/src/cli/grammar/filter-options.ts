/** Options that select runs by what they are like, for commands that list runs or act on several. */
import { type CommandSpec, flag, text } from "./command-spec.js";

const STATE = {
  ...text("state", "Only runs in this state, such as failed; repeatable, or comma-separated."),
  many: true,
};
const PROCESS = text("id", "Only runs of this process.");

export const LIST_FILTER: CommandSpec["options"] = {
  state: STATE,
  process: PROCESS,
  since: text("time", "Only runs with an event since then: 12h, 3d, or a date such as 2026-01-20."),
  limit: text("n", "Show at most this many; 0 for all (default: 100, with --json all)."),
};

/** A filter can match more than somebody thought of, so that it only shows what it finds until told to act. */
export const ACTION_FILTER: CommandSpec["options"] = {
  state: STATE,
  process: PROCESS,
  "older-than": text("age", "Only runs whose last event is older than this: 12h, 30d, 2w."),
  yes: flag("Act on the runs that the filter finds; without it they are only shown."),
};
