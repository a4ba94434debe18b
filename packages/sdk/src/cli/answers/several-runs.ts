/** Commands that act on one run, on several, or on all that a filter finds. */
import { callerPorts } from "../../machine/choose-run.js";
import { BabysitterError } from "../../model/errors.js";
import { shownMessage } from "../../model/shown-text.js";
import { type ListedRun, listRuns } from "../../runs/list-runs.js";
import { passes } from "../../runs/run-filter.js";
import { filterOf } from "../arguments/run-filter.js";
import type { CommandResult, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { renderRuns } from "./run-list.js";

export interface RunAction<Target> {
  /** In the past tense of what was not done yet: "would be cancelled". */
  done: string;
  /** Names are looked up before anything is done, so that a slip in one of them stops all. */
  choose: (named: string | undefined) => Promise<Target>;
  act: (target: Target) => Promise<CommandResult>;
  /** Of the runs that a filter finds, those that this can be done to. */
  isFor: (state: ListedRun["state"]) => boolean;
}

export async function actOnRuns<Target>(invocation: Invocation, action: RunAction<Target>): Promise<CommandResult> {
  const { positionals, options } = invocation;
  const ports = callerPorts(invocation);
  const filter = filterOf(invocation, ports.clock.now());
  if (filter === undefined) {
    if (positionals.length < 2) return action.act(await action.choose(positionals[0]));
    return actOnEach(action, positionals);
  }
  refuseBoth(invocation);
  const found = (await listRuns(ports)).filter((run) => passes(run, filter) && action.isFor(run.state));
  const isDry = !options.flag("yes");
  if (!isDry && found.length > 0)
    return actOnEach(
      action,
      found.map(({ runId }) => runId),
    );
  const count = `${found.length} ${found.length === 1 ? "run" : "runs"}`;
  const text =
    found.length === 0
      ? `No matching run can be ${action.done}.`
      : [
          renderRuns(found, { paint: invocation.paint, now: ports.clock.now() }),
          `${count} would be ${action.done}. Add --yes to do it.`,
        ].join("\n");
  return { document: { dryRun: isDry, runs: found }, text };
}

/** Names and a filter together could mean either of two things. */
export function refuseBoth(invocation: Invocation): void {
  if (invocation.positionals.length > 0) throw usageError(invocation, "Name the runs or use a filter, not both.");
}

/** One that cannot be done is told and does not hold up the others; the exit code is that of the first such. */
async function actOnEach<Target>({ choose, act }: RunAction<Target>, names: readonly string[]): Promise<CommandResult> {
  const targets: Target[] = [];
  for (const name of new Set(names)) targets.push(await choose(name));
  const results: CommandResult[] = [];
  const errors: BabysitterError[] = [];
  for (const target of targets) {
    try {
      results.push(await act(target));
    } catch (error) {
      if (!BabysitterError.is(error)) throw error;
      errors.push(error);
    }
  }
  const problems = errors.map(({ code, message, hint }) =>
    [`error ${code}: ${shownMessage(message)}`, ...(hint === undefined ? [] : [`  ${shownMessage(hint)}`])].join("\n"),
  );
  return {
    document: {
      dryRun: false,
      runs: results.map(({ document }) => document),
      ...(errors.length > 0 && { errors: errors.map((error) => error.toDocument().error) }),
    },
    text: [...results.map(({ text }) => text), ...problems].join("\n"),
    ...(errors[0] !== undefined && { exitCode: errors[0].exitCode }),
  };
}
