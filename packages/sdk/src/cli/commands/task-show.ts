import type { Json } from "../../model/json.js";
import { showTask } from "../../runs/describe-task.js";
import { openToLook, splitRunAndEffect } from "../choose-run.js";
import type { Command } from "../invocation.js";
import { alignColumns } from "../output.js";

export const command: Command = async (invocation) => {
  const { run, effect } = splitRunAndEffect(invocation);
  const journal = await openToLook(invocation, run);
  const secrets = invocation.env["BABYSITTER_ALLOW_SECRET_LOGS"] === "true" && invocation.verbose;
  const shown = await showTask(journal, effect, { secrets });
  const facts = alignColumns(Object.entries(shown.effect).map(([name, value]) => [name, String(value)]));
  const sections = [
    facts,
    section("task", shown.task),
    section("inputs", shown.inputs),
    ...(shown.result === null ? [] : [section("result", shown.result)]),
    ...(shown.stdout ? [`stdout:\n${shown.stdout}`] : []),
    ...(shown.stderr ? [`stderr:\n${shown.stderr}`] : []),
  ];
  return { document: shown, text: sections.join("\n\n") };
};

function section(title: string, value: Json): string {
  return `${title}:\n${JSON.stringify(value, null, 2)}`;
}
