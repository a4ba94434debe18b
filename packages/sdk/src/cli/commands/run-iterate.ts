import { hookLimits } from "../../config/settings.js";
import { exitOfFailure } from "../../drive/ending.js";
import { settingsFor } from "../../machine/caller.js";
import { rememberRun } from "../../machine/remember-project.js";
import { runName } from "../../machine/run-name.js";
import { shownMessage, visibleJson } from "../../model/shown-text.js";
import { inLine } from "../../model/terminal-text.js";
import { withInboxHint } from "../answers/inbox-hint.js";
import { callerOf } from "../arguments/caller.js";
import { lastWordsOf } from "../output/error-document.js";
import "../../index.js";
import type { ConfigValues } from "../../config/settings.js";
import { chooseRun } from "../../machine/choose-run.js";
import { localContextFiles } from "../../machine/context-files.js";
import { hookContext } from "../../machine/lifecycle/hook-context.js";
import { lifecycleHooks, openQuietly, processHooks } from "../../machine/lifecycle/lifecycle-hooks.js";
import { orchestratorFor, withWait } from "../../machine/lifecycle/native-hooks.js";
import { OpenCalls } from "../../machine/lifecycle/open-calls.js";
import { quietLimitOf } from "../../machine/local-ports.js";
import { guardUserCode } from "../../machine/programs/user-code-guard.js";
import { ERROR_CODES, EXIT_CODES, type ExitName } from "../../model/error-codes.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import { isFinished, type RunStatus, statusOf } from "../../model/run-state.js";
import { describeRun } from "../../runs/describe-run.js";
import type { TaskListing } from "../../runs/describe-task.js";
import { type IterationHooks, iterateWithHooks } from "../../runs/iterate-with-hooks.js";
import { errorCodeOf, type Iteration } from "../../runs/iteration.js";
import { LiveRun } from "../../runs/live-run.js";
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
  // Moved since the last command, and so perhaps unknown here.
  if (journal.newPlace.place !== undefined) rememberRun(invocation, journal);
  const { values } = settingsFor(callerOf(invocation), journal.place.projectRoot);
  const openCalls = values["hooks.enabled"] ? new OpenCalls(journal, ["process"]) : undefined;
  const hooks = openCalls && hooksOf(invocation, journal, values, openCalls);
  const run = new LiveRun(journal, { quietLimitMs: quietLimitOf(env) });
  const how = { retry: options.flag("retry"), iteration: given };
  const iteration = await (hooks === undefined ? run.iterateToDocument(how) : iterateWithHooks(run, hooks, how));
  openCalls?.end();
  // What people are shown is what was there when the process asked, also when nobody is told.
  if (hooks === undefined) await openQuietly(journal, env);
  await run.close();
  const { next } = await describeRun(run.journal, runName(invocation, run.journal));
  return {
    document: { iteration: given ?? iteration.iterationCount, ...iteration, effects: effectsOf(iteration) },
    text: render(iteration, next && aboutNext(iteration, next, invocation), invocation.paint),
    exitCode: options.flag("exit-code") ? exitOfState(iteration, run.journal) : exitCodeOf(iteration),
  };
};

const NEXT = "next:";

/** What to do now; a question can also be answered in the browser. */
function aboutNext({ nextActions }: Iteration, next: string, invocation: Invocation): string {
  const asks = nextActions.some(({ kind }) => kind === "breakpoint");
  return asks ? withInboxHint(`${NEXT} ${next}`, invocation).slice(NEXT.length + 1) : next;
}

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

function hooksOf(
  invocation: Invocation,
  journal: RunJournal,
  values: ConfigValues,
  openCalls: OpenCalls,
): IterationHooks {
  const caller = callerOf(invocation);
  const waitMs = waitOption(invocation);
  return lifecycleHooks({
    journal,
    context: { ...withWait(hookContext(caller, journal), waitMs), ...hookLimits(values) },
    contextFiles: localContextFiles,
    openCalls,
    orchestrator: orchestratorFor(caller, journal, waitMs),
  });
}

function exitCodeOf(iteration: Iteration): number {
  if (iteration.status === "failed" && iteration.reason === "cancelled") return EXIT_CODES.cancelled.exit;
  const code = errorCodeOf(iteration);
  return code === undefined ? 0 : EXIT_CODES[ERROR_CODES[code].exit].exit;
}

/** For scripts that look at nothing else; the state says more than the status of one iteration. */
function exitOfState(iteration: Iteration, { summary }: RunJournal): number {
  const ofError = exitCodeOf(iteration);
  if (ofError !== 0) return ofError;
  const state = statusOf(summary);
  if (state === "failed") return EXIT_CODES[exitOfFailure(summary.failed?.error.code)].exit;
  return EXIT_CODES[iteration.status === "executed" && !isFinished(summary) ? "unfinished" : EXIT_OF_STATE[state]].exit;
}

const EXIT_OF_STATE = {
  created: "unfinished",
  running: "unfinished",
  waiting: "waiting",
  paused: "waiting",
  blocked: "blocked",
  completed: "ok",
  cancelled: "cancelled",
} as const satisfies Record<Exclude<RunStatus, "failed">, ExitName>;

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
  for (const warning of warnings) lines.push(`warning: ${shownMessage(warning)}`);
  if (error !== undefined) lines.push(renderError(error));
  if (output !== undefined) lines.push(`output: ${visibleJson(output, 2)}`);
  if (completionProof !== undefined) lines.push(`completion proof: ${completionProof}`);
  if (next !== undefined) lines.push(`${paint("bold", NEXT)} ${next}`);
  return lines.join("\n");
}

function renderError(error: NonNullable<Iteration["error"]>): string {
  const { name, code, message, hint } = error as { name?: string; code?: string; message: string; hint?: string };
  const said = `error ${inLine(code ?? name ?? "")}: ${shownMessage(message)}`;
  return hint === undefined ? said : `${said}\n  ${shownMessage(hint)}`;
}
