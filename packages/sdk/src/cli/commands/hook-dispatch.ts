import { isatty } from "node:tty";
import { dispatchHooks, type HookProgress } from "../../hooks/dispatch-hooks.js";
import type { SkippedHook } from "../../hooks/find-hooks.js";
import { parseHookType } from "../../hooks/hook-folders.js";
import { openChosen } from "../../machine/choose-run.js";
import { hookContext } from "../../machine/lifecycle/hook-context.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import { BabysitterError } from "../../model/errors.js";
import type { HookDispatch, HookOutcome } from "../../model/hook-types.js";
import type { Json } from "../../model/json.js";
import { forTerminal } from "../../model/terminal-text.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { callerOf } from "../arguments/caller.js";
import { readInput, readJsonInput } from "../arguments/input-files.js";
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
  const payload = await readPayload(invocation, journal);
  const skipped: SkippedHook[] = [];
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  const dispatch = await dispatchHooks(
    { hookType, payload },
    {
      ...hookContext(callerOf(invocation), journal),
      runShipped: true,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
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

/** Nothing at all on stdin is an empty payload, unless stdin was asked for. */
async function readPayload({ options, cwd, env }: Invocation, journal: RunJournal | undefined): Promise<Json> {
  const source = { flag: "payload", cwd, env, ...(journal === undefined ? {} : { alternative: journal.runDir }) };
  const named = options.text("payload");
  if (named !== undefined) return readJsonInput(named, source);
  if (isatty(0)) return {};
  const text = (await readInput("-", source)).toString("utf8");
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new BabysitterError("INPUT_NOT_JSON", `stdin is not JSON: ${(cause as Error).message}.`, { cause });
  }
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
  for (const line of stderr.split("\n").filter((text) => text.trim() !== ""))
    writeFully(2, `${forTerminal(`${outcome.name}: ${line}`)}\n`);
}

function render({ hookType, hooks, merged }: HookDispatch, skipped: readonly SkippedHook[]): string {
  const { ok, action, count, reason, error } = merged;
  const facts = [ok ? "ok" : "failed", `action ${action}`, `count ${count}`, ...(reason ? [`reason ${reason}`] : [])];
  return [
    hooks.length === 0 ? `${hookType}: no hooks to run.` : `${hookType}: ${facts.join(", ")}`,
    ...(hooks.length === 0 ? [] : [alignColumns(hooks.map(rowOf))]),
    ...(error === undefined ? [] : [`error: ${error}`]),
    ...skipped.map(({ file, reason: why, fix }) => `skipped ${file}: ${why}${fix ? `; ${fix}` : ""}`),
  ].join("\n");
}

function rowOf({ name, tier, status, durationMs, problem }: HookOutcome): string[] {
  return ["", name, tier, status, `${durationMs} ms`, problem ?? ""];
}
