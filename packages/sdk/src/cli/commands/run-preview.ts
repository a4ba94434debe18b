/** `babysitter run --dry-run` and `babysitter run --help <process>`: they load a process and create nothing. */
import "../../index.js";
import { callerPorts } from "../../machine/choose-run.js";
import { entryAt, quietLimitOf } from "../../machine/local-ports.js";
import { guardUserCode } from "../../machine/programs/user-code-guard.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import { defined, isJsonObject, type Json, toJson } from "../../model/json.js";
import { shownLine, shownMessage, visibleJson } from "../../model/shown-text.js";
import { inLine, line } from "../../model/terminal-text.js";
import { type Preview, previewRun } from "../../runs/preview-run.js";
import { inputsOf } from "../arguments/read-inputs.js";
import { chooseTarget, type Target } from "../arguments/run-target.js";
import type { CommandSpec } from "../grammar/command-spec.js";
import { renderCommandHelp } from "../grammar/help.js";
import type { CommandResult, Invocation } from "../grammar/invocation.js";
import { lastWordsOf } from "../output/error-document.js";
import { alignColumns } from "../output/output.js";

type ProcessTarget = Extract<Target, { file: string }>;

const MAX_SHOWN = 20;
const MAX_ARGS = 60;

export async function previewNewRun(invocation: Invocation, target: ProcessTarget): Promise<CommandResult> {
  const { options, env } = invocation;
  const inputs = await inputsOf(invocation);
  guard(invocation, target);
  const preview = await previewRun(
    callerPorts(invocation),
    {
      processId: options.text("process-id") ?? target.name,
      ...placeOf(invocation, target),
      ...defined({ inputs, runId: options.text("run-id") }),
    },
    { quietLimitMs: quietLimitOf(env) },
  );
  return {
    document: { dryRun: true, ...preview },
    text: render(preview),
    ...(preview.state === "failed" && { exitCode: EXIT_CODES.failed.exit }),
  };
}

function placeOf({ cwd, places }: Invocation, target: ProcessTarget): ReturnType<typeof entryAt> {
  return entryAt(target, { cwd, projectRoot: places().projectRoot });
}

function guard(invocation: Invocation, { file }: ProcessTarget): void {
  guardUserCode({ what: `The process file ${file}`, env: invocation.env, ...lastWordsOf(invocation) });
}

function render({ entry, inputs, state, requests, output, error }: Preview): string {
  const rows = requests
    .slice(0, MAX_SHOWN)
    .map(({ kind, invocationKey, title = "", args, location = "" }) => [
      "  ",
      kind,
      invocationKey,
      shownLine(title === "" ? argsText(args) : title, MAX_ARGS),
      location,
    ]);
  const more = requests.length - rows.length;
  return [
    line`Dry run of ${entry} with inputs ${visibleJson(inputs)}`,
    ...(rows.length === 0 ? [] : ["It would first ask for:", alignColumns(rows)]),
    ...(more > 0 ? [`  … and ${more} more; use --json to see all`] : []),
    ...(state === "completed" ? [`It would complete at once, with ${visibleJson(output)}`] : []),
    ...(error === undefined ? [] : [`It would fail: ${inLine(error.name)}: ${shownMessage(error.message)}`]),
    "Nothing was created or executed.",
  ].join("\n");
}

function argsText(args: Json): string {
  return isJsonObject(args) && Object.keys(args).length === 0 ? "" : visibleJson(args);
}

/** The help of `run`, with what the process takes that was named in it. */
export async function helpAbout(invocation: Invocation, spec: CommandSpec): Promise<CommandResult> {
  const target = await chooseTarget(invocation);
  const general = renderCommandHelp(spec);
  if (!("file" in target)) return { document: { help: general }, text: general };
  guard(invocation, target);
  const { entry } = placeOf(invocation, target);
  const { exportName, inputSchema } = await callerPorts(invocation).loader.inspect(entry, undefined).load();
  const schema = inputSchema === undefined ? null : toJson(inputSchema, `The inputSchema of ${target.file}`);
  const name = invocation.positionals[0] ?? target.file;
  const text = [
    `Usage: babysitter run ${inLine(name)} [--input name=value …] [options]`,
    "",
    line`Process ${target.name}: ${target.file}#${exportName}`,
    ...inputLines(schema),
    "",
    "babysitter run --help shows the options.",
  ].join("\n");
  return { document: { help: text, file: target.file, export: exportName, inputSchema: schema }, text };
}

function inputLines(schema: Json): string[] {
  if (schema === null) return ["It exports no inputSchema, so it accepts any inputs."];
  const { properties, required = [] } = isJsonObject(schema) ? schema : {};
  if (!isJsonObject(properties)) return ["Its inputs, as JSON Schema:", visibleJson(schema, 2)];
  const rows = Object.entries(properties).map(([name, field]) => [
    `  ${name}`,
    typeText(field),
    Array.isArray(required) && required.includes(name) ? "required" : "",
    isJsonObject(field) && typeof field["description"] === "string" ? shownLine(field["description"]) : "",
  ]);
  return ["Inputs:", alignColumns(rows)];
}

function typeText(field: Json): string {
  if (!isJsonObject(field)) return "any";
  const { type, enum: values, default: usual } = field;
  const what = Array.isArray(values)
    ? values.map((value) => visibleJson(value)).join(" | ")
    : [type]
        .flat()
        .filter((name) => typeof name === "string")
        .join(" | ") || "any";
  return usual === undefined ? what : `${what}, default ${visibleJson(usual)}`;
}
