import { hookLimits } from "../../config/settings.js";
import { dispatchHooks, type HookProgress, type NativeHook } from "../../hooks/dispatch-hooks.js";
import type { SkippedHook } from "../../hooks/find-hooks.js";
import { parseHookType } from "../../hooks/hook-folders.js";
import { settingsFor } from "../../machine/caller.js";
import { openChosen } from "../../machine/choose-run.js";
import { hookContext } from "../../machine/lifecycle/hook-context.js";
import { NATIVE_ORCHESTRATOR, orchestratorFor } from "../../machine/lifecycle/native-hooks.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import type { HookDispatch, HookOutcome } from "../../model/hook-types.js";
import { shownMessage } from "../../model/shown-text.js";
import { line } from "../../model/terminal-text.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { callerOf } from "../arguments/caller.js";
import { readPayload, runNamedIn } from "../arguments/hook-payload.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";
import { alignColumns, writeFully } from "../output/output.js";

export const command: Command = async (invocation) => {
  const { name, positionals, options } = invocation;
  const [named] = positionals;
  if (named === undefined || named === "") throw usageError({ name }, "the hook type is missing.");
  const hookType = parseHookType(named);
  const timeoutMs = numberOption(name, options, "timeout-ms");
  const run = options.text("run");
  const journal = run === undefined ? undefined : await openChosen(invocation, run);
  const payload = await readPayload(invocation, journal?.runDir);
  const context = hookContext(callerOf(invocation), journal);
  const skipped: SkippedHook[] = [];
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  const dispatch = await dispatchHooks(
    { hookType, payload },
    {
      ...context,
      ...hookLimits(settingsFor(callerOf(invocation), context.projectRoot).values),
      runShipped: true,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      native: nativeHook(invocation, hookType, journal),
      signal: interruption.signal,
      onProgress: (progress) => {
        if (progress.what === "skipped") skipped.push(progress.file);
        if (progress.what === "ended" && journal === undefined) tellStderr(progress);
      },
    },
  );
  if (journal !== undefined && dispatch.hooks.length > 0) await record(journal, dispatch);
  return {
    document: {
      ...dispatch.merged,
      hookType,
      ...(journal === undefined ? {} : { runId: journal.runId, runDir: journal.runDir }),
      hooks: dispatch.hooks,
      skipped,
    },
    text: render(dispatch, skipped),
    exitCode: interruption.signal.aborted ? EXIT_CODES.interrupted.exit : 0,
  };
};

/** What the engine itself does in such a moment of a run. */
function nativeHook(invocation: Invocation, hookType: string, opened: RunJournal | undefined): NativeHook | undefined {
  if (hookType !== "on-iteration-start") return undefined;
  return {
    name: NATIVE_ORCHESTRATOR,
    run: async (payload, signal) => {
      const run = runNamedIn(payload, invocation.cwd);
      if (opened === undefined && run === undefined)
        return { action: "none", reason: "no run: name it in the payload as runId, or with --run" };
      const journal = opened ?? (await openChosen(invocation, run));
      const answer = await orchestratorFor(callerOf(invocation), journal).run(payload, signal);
      await journal.saveCaches();
      return answer;
    },
  };
}

async function record(journal: RunJournal, { hookType, hooks, merged }: HookDispatch): Promise<void> {
  const timestamp = journal.ports.clock.now().toISOString();
  await journal.commit((_, appended) =>
    appended.length > 0 ? [] : [{ type: "HOOK_DISPATCHED", timestamp, payload: { hookType, hooks, merged } }],
  );
  await journal.saveCaches();
}

/** Without a run there is no log; what a hook has to say must not be lost. */
function tellStderr({ outcome, stderr }: Extract<HookProgress, { what: "ended" }>): void {
  for (const said of stderr.split("\n").filter((text) => text.trim() !== ""))
    writeFully(2, `${line`${outcome.name}: ${said}`}\n`);
}

function render({ hookType, hooks, merged }: HookDispatch, skipped: readonly SkippedHook[]): string {
  const { ok, action, count, reason, error } = merged;
  const facts = [ok ? "ok" : "failed", `action ${action}`, `count ${count}`, ...(reason ? [`reason ${reason}`] : [])];
  return [
    hooks.length === 0 ? line`${hookType}: no hooks to run.` : line`${hookType}: ${facts.join(", ")}`,
    ...(hooks.length === 0 ? [] : [alignColumns(hooks.map(rowOf))]),
    ...(error === undefined ? [] : [`error: ${shownMessage(error)}`]),
    ...skipped.map(({ file, reason: why, fix }) => line`skipped ${file}: ${why}${fix ? `; ${fix}` : ""}`),
  ].join("\n");
}

function rowOf({ name, tier, status, durationMs, problem }: HookOutcome): string[] {
  return ["", name, tier, status, `${durationMs} ms`, problem ?? ""];
}
