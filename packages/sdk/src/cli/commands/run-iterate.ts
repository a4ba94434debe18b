import { hookLimits } from "../../config/settings.js";
import { settingsFor } from "../../machine/caller.js";
import { runName } from "../../machine/run-name.js";
import { callerOf } from "../arguments/caller.js";
import { lastWordsOf } from "../output/error-document.js";
import "../../index.js";
import type { ConfigValues } from "../../config/settings.js";
import { chooseRun } from "../../machine/choose-run.js";
import { localContextFiles } from "../../machine/context-files.js";
import { hookContext } from "../../machine/lifecycle/hook-context.js";
import { lifecycleHooks, processHooks } from "../../machine/lifecycle/lifecycle-hooks.js";
import { orchestratorFor, withWait } from "../../machine/lifecycle/native-hooks.js";
import { quietLimitOf } from "../../machine/local-ports.js";
import { guardUserCode } from "../../machine/programs/user-code-guard.js";
import { ERROR_CODES, EXIT_CODES } from "../../model/error-codes.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import { describeRun } from "../../runs/describe-run.js";
import type { TaskListing } from "../../runs/describe-task.js";
import { type IterationHooks, iterateWithHooks } from "../../runs/iterate-with-hooks.js";
import { errorCodeOf, type Iteration } from "../../runs/iteration.js";
import { LiveRun } from "../../runs/live-run.js";
import { openBreakpoints } from "../../runs/open-breakpoints.js";
import { RunJournal } from "../../runs/run-journal.js";
import { waitOption } from "../grammar/durations.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { numberOption } from "../grammar/parse-arguments.js";
import { alignColumns } from "../output/output.js";
import type { Paint } from "../output/paint.js";

export const command: Command = async (invocation) => {
  const { options, env } = invocation;
  const given = numberOption(invocation.name, options, "iteration");
  const { ports, runId } = await chooseRun(invocation, invocation.positionals[0]);
  // Guards cost a thread; a run that has nothing new to replay never loads its process.
  const agreed = options.text("code-hash");
  const loader: typeof ports.loader = {
    ...ports.loader,
    inspect: (entry, cacheDir) =>
      guarded(
        agreed === undefined
          ? ports.loader.inspect(entry, cacheDir)
          : // What is remembered of files lies where agents can write.
            requireCode(ports.loader.inspect(entry, undefined), agreed),
      ),
  };
  const guarded = (code: ReturnType<typeof ports.loader.inspect>): typeof code => ({
    hash: code.hash,
    snapshot: () => code.snapshot(),
    load: () => {
      guardUserCode({ what: `The process of run ${runId}`, env, ...lastWordsOf(invocation) });
      return code.load();
    },
  });
  const journal = await RunJournal.open({ ...ports, loader, hooks: processHooks(env, ports, invocation.trace) }, runId);
  const { values } = settingsFor(callerOf(invocation), journal.place.projectRoot);
  const hooks = values["hooks.enabled"] ? hooksOf(invocation, journal, values) : undefined;
  const run = new LiveRun(journal, { quietLimitMs: quietLimitOf(env) });
  const how = { retry: options.flag("retry"), iteration: given };
  const iteration = await (hooks === undefined ? run.iterateToDocument(how) : iterateWithHooks(run, hooks, how));
  // What people are shown is what was there when the process asked, also when nobody is told.
  if (hooks === undefined) await openBreakpoints(journal, localContextFiles);
  await run.close();
  const { next } = describeRun(run.journal, runName(invocation, run.journal));
  return {
    document: { iteration: given ?? iteration.iterationCount, ...iteration, effects: effectsOf(iteration) },
    text: render(iteration, next, invocation.paint),
    exitCode: exitCodeOf(iteration),
  };
};

/** What is pending, in short, as `task:list --pending` has it; what is to be done about it is in `nextActions`. */
function effectsOf({ nextActions }: Iteration): TaskListing[] {
  return nextActions.map(({ effectId, taskId, invocationKey, kind, label, title, requestedAt, attempt }) =>
    defined({
      effectId,
      taskId,
      invocationKey,
      kind,
      label,
      title,
      status: "requested" as const,
      requestedAt,
      attempt,
    }),
  );
}

/** Between the moment when a host was told that it may run this and now, an agent can have changed the code. */
function requireCode<T extends { hash: string }>(code: T, agreed: string): T {
  if (code.hash === agreed) return code;
  throw new BabysitterError("ONLY_FOR_PEOPLE", "The process code changed after this command was allowed.", {
    hint: "Run the command again; the user decides whether the new code may run.",
  });
}

function hooksOf(invocation: Invocation, journal: RunJournal, values: ConfigValues): IterationHooks {
  const caller = callerOf(invocation);
  const waitMs = waitOption(invocation);
  return lifecycleHooks({
    journal,
    context: { ...withWait(hookContext(caller, journal), waitMs), ...hookLimits(values) },
    contextFiles: localContextFiles,
    orchestrator: orchestratorFor(caller, journal, waitMs),
  });
}

function exitCodeOf(iteration: Iteration): number {
  if (iteration.status === "failed" && iteration.reason === "cancelled") return EXIT_CODES.cancelled.exit;
  const code = errorCodeOf(iteration);
  return code === undefined ? 0 : EXIT_CODES[ERROR_CODES[code].exit].exit;
}

const STATUS_STYLES = { executed: "cyan", waiting: "yellow", completed: "green", failed: "red", none: "dim" } as const;

function render(iteration: Iteration, next: string | undefined, paint: Paint): string {
  const { metadata, status, reason, nextActions, warnings, error, output, completionProof } = iteration;
  const lines = [`${metadata.runId} ${paint(STATUS_STYLES[status], status)} (${reason})`];
  const rows = nextActions
    .slice(0, 20)
    .map(({ effectId, kind, invocationKey, label, title, until }) => [
      "  ",
      effectId,
      kind,
      invocationKey,
      until ?? label ?? title ?? "",
    ]);
  if (rows.length > 0) lines.push(alignColumns(rows));
  if (nextActions.length > rows.length)
    lines.push(`  … and ${nextActions.length - rows.length} more: babysitter task:list ${metadata.runId} --pending`);
  for (const warning of warnings) lines.push(`warning: ${warning}`);
  if (error !== undefined) lines.push(renderError(error));
  if (output !== undefined) lines.push(`output: ${JSON.stringify(output, null, 2)}`);
  if (completionProof !== undefined) lines.push(`completion proof: ${completionProof}`);
  if (next !== undefined) lines.push(`${paint("bold", "next:")} ${next}`);
  return lines.join("\n");
}

function renderError(error: NonNullable<Iteration["error"]>): string {
  const { name, code, message, hint } = error as { name?: string; code?: string; message: string; hint?: string };
  return `error ${code ?? name ?? ""}: ${message}${hint === undefined ? "" : `\n  ${hint}`}`;
}
