import { openChosen } from "../../machine/choose-run.js";
import { answersOf, decisionSource } from "../../machine/decision-source.js";
import { resultTeller } from "../../machine/lifecycle/lifecycle-hooks.js";
import { runName } from "../../machine/run-name.js";
import type { EffectRequested } from "../../model/events.js";
import type { Json } from "../../model/json.js";
import { requestOf } from "../../model/replay-index.js";
import { pendingOf } from "../../model/run-state.js";
import { secretNamesIn } from "../../model/secrets.js";
import type { DecisionTerms } from "../../runs/decision-checks.js";
import { effectNamed } from "../../runs/effect-named.js";
import { type EffectResult, type PostAnswer, postResult } from "../../runs/post-result.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { childEnvironment } from "../../spawn/child-environment.js";
import { maskJson } from "../../spawn/mask-json.js";
import { SecretMask } from "../../spawn/secret-mask.js";
import { callerOf } from "../arguments/caller.js";
import { splitRunAndEffect } from "../arguments/effect-argument.js";
import { readInput, readJsonInput } from "../arguments/input-files.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { numberOption, usageError } from "../grammar/parse-arguments.js";

export const command: Command = async (invocation) => {
  const { options, name } = invocation;
  const { run, effect: named } = splitRunAndEffect(invocation);
  const status = options.text("status");
  if (status !== "ok" && status !== "error")
    throw usageError(
      { name },
      `--status must be ok or error${status === undefined ? "; it is missing" : `, not "${status}"`}.`,
    );
  if (status === "ok" && options.text("error") !== undefined)
    throw usageError({ name }, "--error requires --status error.");
  if (status === "error" && options.text("value") !== undefined)
    throw usageError({ name }, "--value requires --status ok; use --error for an error.");
  const attempt = numberOption(name, options, "attempt");
  const invocationKey = options.text("invocation-key");
  const dryRun = options.flag("dry-run");
  const journal = await openChosen(invocation, run);
  const effect = await effectNamed(journal, named);
  const secrets = await secretsOf(invocation, journal, effect);
  const result = await readResult(invocation, journal, status, secrets);
  const checked = {
    effectId: effect,
    result,
    ...(invocationKey === undefined ? {} : { invocationKey }),
    ...(attempt === undefined ? {} : { attempt }),
    ...decisionTerms(invocation, journal, effect),
  };
  const logs = (await readLogs(invocation, journal, result, effect)).map((log) => withoutSecrets(log, secrets));
  const tell = resultTeller(callerOf(invocation), journal);
  const answer = await postResult(journal, { ...checked, dryRun });
  if (!dryRun) await keepLogs(journal, answer, logs);
  await journal.saveCaches(64);
  if (answer.outcome === "committed") await tell(answer.event);
  return { document: documentOf(answer, result, dryRun), text: render(answer, dryRun, runName(invocation, journal)) };
};

/** Who answers, when the effect is a question. */
function decisionTerms(invocation: Invocation, journal: RunJournal, effect: string): { decision?: DecisionTerms } {
  if (pendingOf(journal.summary, effect)?.kind !== "breakpoint") return {};
  return {
    decision: { source: decisionSource(invocation, "task:post"), answers: answersOf(invocation, journal) },
  };
}

/** What the task has named as secret, and what the environment of whoever posts does: it is not journaled. */
async function secretsOf({ env }: Invocation, journal: RunJournal, effect: string): Promise<string[]> {
  const place = pendingOf(journal.summary, effect)?.request ?? requestOf(await journal.index(), effect);
  const event = place === undefined ? undefined : await journal.ports.store.readAt(journal.runId, place);
  const definition = event === undefined ? null : await journal.valueOf((event.payload as EffectRequested).definition);
  return childEnvironment(env, {}, secretNamesIn(definition)).secrets;
}

async function readResult(
  invocation: Invocation,
  journal: RunJournal,
  status: "ok" | "error",
  secrets: readonly string[],
): Promise<EffectResult> {
  const { options } = invocation;
  const json = async (flag: string): Promise<Json | undefined> => {
    const file = options.text(flag);
    if (file === undefined) return undefined;
    const from = { flag, cwd: invocation.cwd, alternative: journal.runDir, env: invocation.env };
    return maskJson(await readJsonInput(file, from), secrets);
  };
  const fields = {
    value: await json("value"),
    error: await json("error"),
    metadata: await json("metadata"),
    startedAt: timeOption(invocation, "started-at"),
    finishedAt: timeOption(invocation, "finished-at"),
    stdoutRef: options.text("stdout-ref"),
    stderrRef: options.text("stderr-ref"),
  };
  return { status, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

interface LogCopy {
  name: "stdout.log" | "stderr.log";
  content: Uint8Array;
}

async function readLogs(
  invocation: Invocation,
  journal: RunJournal,
  result: EffectResult,
  effect: string,
): Promise<LogCopy[]> {
  const logs: LogCopy[] = [];
  for (const stream of ["stdout", "stderr"] as const) {
    const flag = `${stream}-file`;
    const file = invocation.options.text(flag);
    if (file === undefined) continue;
    const content = await readInput(file, {
      flag,
      cwd: invocation.cwd,
      alternative: journal.runDir,
      env: invocation.env,
    });
    logs.push({ name: `${stream}.log`, content });
    result[`${stream}Ref`] = `tasks/${effect}/${stream}.log`;
  }
  return logs;
}

function withoutSecrets({ name, content }: LogCopy, secrets: readonly string[]): LogCopy {
  const mask = new SecretMask(secrets);
  return { name, content: Buffer.concat([...mask.push(Buffer.from(content)), ...mask.flush()]) };
}

/** Only the result that counts brings its logs; a repeated post fills in what a crash has left out. */
async function keepLogs(journal: RunJournal, { outcome, effectId }: PostAnswer, logs: LogCopy[]): Promise<void> {
  const { workspace } = journal.ports;
  for (const { name, content } of logs) {
    const missing = (await workspace.readLog(journal.runId, effectId, name)) === undefined;
    if (outcome === "committed" || missing) await workspace.writeLog(journal.runId, effectId, name, content);
  }
}

function timeOption({ options, name }: Invocation, flag: string): string | undefined {
  const text = options.text(flag);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw usageError({ name }, `--${flag} must be an ISO 8601 time, not "${text}".`);
  return time.toISOString();
}

function documentOf(answer: PostAnswer, result: EffectResult, dryRun: boolean): object {
  const refs = {
    resultRef: `tasks/${answer.effectId}/result.json`,
    stdoutRef: result.stdoutRef ?? `tasks/${answer.effectId}/stdout.log`,
    stderrRef: result.stderrRef ?? `tasks/${answer.effectId}/stderr.log`,
  };
  const times = { startedAt: result.startedAt ?? null, finishedAt: result.finishedAt ?? null };
  return {
    status: answer.recorded.status,
    outcome: answer.outcome,
    ...(dryRun ? { dryRun } : {}),
    effectId: answer.effectId,
    committed: { ...refs, ...times },
    ...refs,
    ...(answer.outcome === "duplicate" ? { recorded: answer.recorded } : {}),
  };
}

function render(answer: PostAnswer, dryRun: boolean, runId: string): string {
  if (dryRun) return `Would record ${answer.recorded.status} for ${answer.effectId}.`;
  const said = answer.outcome === "committed" ? "Recorded" : "Already recorded, with the same result:";
  return `${said} ${answer.recorded.status} for ${answer.effectId}\nnext: babysitter run:iterate ${runId}`;
}
