import { openToLook } from "../../machine/choose-run.js";
import type { Json } from "../../model/json.js";
import { quotedLines, visibleJson } from "../../model/shown-text.js";
import { showTask, type TaskDescription } from "../../runs/describe-task.js";
import { effectNamed } from "../../runs/effect-named.js";
import type { Attempt } from "../../runs/list-attempts.js";
import { splitRunAndEffect } from "../arguments/effect-argument.js";
import type { Command } from "../grammar/invocation.js";
import { fitColumns, fitLines } from "../output/for-screen.js";
import { alignColumns } from "../output/output.js";
import { areSecretsShown } from "../output/secret-logs.js";

/** People get the last lines of a log; --json has more of it. */
const SHOWN_LINES = 40;

export const command: Command = async (invocation) => {
  const { run, effect } = splitRunAndEffect(invocation);
  const journal = await openToLook(invocation, run);
  const shown = await showTask(journal, await effectNamed(journal, effect), { secrets: areSecretsShown(invocation) });
  const facts = alignColumns(Object.entries(shown.effect).map(([name, value]) => [name, String(value)]));
  const sections = [
    facts,
    section("task", shown.task),
    section("inputs", shown.inputs),
    ...(shown.result === null ? [] : [section("result", shown.result)]),
    ...(shown.attempts.length === 0 ? [] : [`attempts:\n${renderAttempts(shown.attempts)}`]),
    ...(shown.stdout ? [renderLog("stdout", shown.stdout, shown)] : []),
    ...(shown.stderr ? [renderLog("stderr", shown.stderr, shown)] : []),
    ...renderEarlierLogs(shown),
  ];
  return { document: shown, text: sections.join("\n\n") };
};

function section(title: string, value: Json): string {
  return [`${title}:`, ...fitLines(visibleJson(value, 2).split("\n"), SHOWN_LINES, "add --json")].join("\n");
}

function renderAttempts(attempts: Attempt[]): string {
  return fitColumns(
    attempts.map(({ attempt, end, executor, startedAt, durationMs, exitCode, signal, error }) => [
      `  ${attempt}`,
      end,
      executor ?? "",
      startedAt ?? "",
      durationMs === undefined ? "" : `${durationMs} ms`,
      signal ?? (exitCode === undefined ? "" : `exit ${exitCode}`),
      error?.split("\n")[0] ?? "",
    ]),
  );
}

function renderLog(name: "stdout" | "stderr", text: string, { truncated, logs }: TaskDescription): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const cut = truncated[name] || lines.length > SHOWN_LINES;
  const file = logs.find((log) => log.file.endsWith(`/${name}.log`))?.file ?? `${name}.log`;
  const title = cut ? `${name} (the last ${Math.min(lines.length, SHOWN_LINES)} lines of ${file}):` : `${name}:`;
  return [title, ...fitLines(quotedLines(lines.slice(-SHOWN_LINES).join("\n")), SHOWN_LINES, file)].join("\n");
}

function renderEarlierLogs({ logs }: TaskDescription): string[] {
  const earlier = logs.filter(({ file }) => file.includes(".attempt-"));
  if (earlier.length === 0) return [];
  return [`logs of earlier attempts:\n${alignColumns(earlier.map(({ file, bytes }) => [`  ${file}`, `${bytes} B`]))}`];
}
