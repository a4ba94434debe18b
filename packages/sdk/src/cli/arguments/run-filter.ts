import { defined } from "../../model/json.js";
import type { ListedRun } from "../../runs/list-runs.js";
import type { RunFilter } from "../../runs/run-filter.js";
import { ageOf, sinceOf } from "../grammar/durations.js";
import type { Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

/** What runs have to be like; undefined when nothing is said about that. */
export function filterOf(invocation: Invocation, now: Date): RunFilter | undefined {
  const { options, name } = invocation;
  const [since, age] = [options.text("since"), options.text("older-than")];
  const filter = defined({
    states: statesOf(invocation),
    process: options.text("process"),
    since: since === undefined ? undefined : sinceOf(invocation, since, now),
    before: age === undefined ? undefined : new Date(now.getTime() - ageOf(name, "older-than", age)),
  });
  return Object.keys(filter).length === 0 ? undefined : filter;
}

const STATES = {
  created: true,
  running: true,
  waiting: true,
  blocked: true,
  paused: true,
  completed: true,
  failed: true,
  cancelled: true,
  damaged: true,
  foreign: true,
} satisfies Record<ListedRun["state"], true>;
const KNOWN = Object.keys(STATES);

function statesOf(invocation: Invocation): string[] | undefined {
  const given = invocation.options.texts("state").flatMap((text) => text.split(","));
  const unknown = given.find((state) => !KNOWN.includes(state));
  if (unknown !== undefined)
    throw usageError(invocation, `--state must be one of ${KNOWN.join(", ")}, not ${JSON.stringify(unknown)}.`);
  return given.length === 0 ? undefined : given;
}
