/** What can be typed next: the ids of runs, tasks and questions, as far as they can be found. */
import { callerPorts, openToLook } from "../../machine/choose-run.js";
import { listOpenBreakpoints } from "../../runs/list-breakpoints.js";
import { listRuns } from "../../runs/list-runs.js";
import { processNames } from "../arguments/run-target.js";
import { COMMANDS } from "../grammar/command-table.js";
import { findCommand } from "../grammar/find-command.js";
import { HELP_TOPICS } from "../grammar/help-topics.js";
import type { Invocation } from "../grammar/invocation.js";

export async function completeWords(invocation: Invocation, typed: readonly string[]): Promise<string[]> {
  const found = findCommand(typed);
  if (found === undefined) return [];
  const { spec, rest } = found;
  const option = rest.at(-1)?.replace(/^--/, "") ?? "";
  if (rest.at(-1)?.startsWith("--") && spec.options[option]?.type === "string") return ofKind(invocation, option, []);
  const given = rest.filter((word) => !word.startsWith("-"));
  const next = spec.positionals[given.length] ?? spec.positionals.findLast(({ many }) => many === true);
  // Where the run may be left out, the first argument can be the one behind it.
  const behind = given.length === 0 && next?.optional === true ? spec.positionals[1] : undefined;
  const kinds = [next, behind].flatMap((one) => one?.name ?? []);
  return (await Promise.all(kinds.map((kind) => ofKind(invocation, kind, given)))).flat();
}

async function ofKind(invocation: Invocation, kind: string, given: readonly string[]): Promise<string[]> {
  switch (kind) {
    case "process-or-run":
      return [...processNames(invocation), ...(await runIds(invocation))];
    case "run":
      return runIds(invocation);
    case "effect": {
      const journal = await openToLook(invocation, given[0]);
      return Object.keys((await journal.index()).keys);
    }
    case "breakpoint":
      return (await listOpenBreakpoints(callerPorts(invocation), () => undefined)).map(
        ({ breakpointId }) => breakpointId,
      );
    case "word":
      return [...COMMANDS.map(({ name }) => name), "topics", ...Object.keys(HELP_TOPICS)];
    default:
      return [];
  }
}

async function runIds(invocation: Invocation): Promise<string[]> {
  return (await listRuns(callerPorts(invocation))).map(({ runId }) => runId);
}
