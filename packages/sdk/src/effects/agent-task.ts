/** What the definition of an agent task says to whoever runs it. */
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";
import { compileAgentSchema, type SchemaCheck } from "./agent-schema.js";
import type { Work, WorkPlace } from "./executor.js";
import { cwdField, environmentField, invalidTask, textField, textList, timeoutField } from "./task-fields.js";

export interface AgentTask {
  title: string;
  /** The title as an argument: one line, not too long, and never taken for a flag. */
  titleArgument: string;
  cwd: string;
  timeoutMs: number | undefined;
  model: string | undefined;
  schema: Json | undefined;
  /** Only with a schema. */
  check: SchemaCheck | undefined;
  env: Record<string, string>;
  secretEnv: readonly string[];
}

const DEFAULT_TIMEOUT_MS = 60 * 60_000;
/** A title may become an argument of the command; the prompt has all of it. */
const MAX_TITLE = 200;

/** Throws TASK_INVALID for a definition that cannot be executed, however often it is tried. */
export function readAgentTask(work: Work, place: WorkPlace): AgentTask {
  const { definition } = work;
  const title = work.title ?? (typeof definition["title"] === "string" ? definition["title"] : work.taskId);
  const [agent, skill, execution] = ["agent", "skill", "execution"].map((name) => partOf(definition, name));
  const parts = [agent, skill, execution, definition].filter((part) => part !== undefined);
  const schemas = [definition, agent, skill].map((part) => part?.["outputSchema"]);
  const schema = schemas.find((found) => found !== undefined && found !== null);
  const own = agent ?? skill ?? {};
  const withCwd = parts.find((part) => part["cwd"] !== undefined && part["cwd"] !== null) ?? {};
  return {
    title,
    titleArgument: asArgument(title) || work.taskId,
    cwd: cwdField(work, withCwd, place),
    timeoutMs: timeoutField(work, parts, DEFAULT_TIMEOUT_MS),
    model: modelOf(work, [execution ?? {}, own, definition]),
    schema,
    check: schema === undefined ? undefined : checkOf(work, schema),
    env: environmentField(work, own),
    secretEnv: textList(work, own, "secretEnv") ?? [],
  };
}

/** `agent` and `skill` may be a mere name. */
function partOf(definition: JsonObject, name: string): JsonObject | undefined {
  const part = definition[name];
  return isJsonObject(part) ? part : undefined;
}

function checkOf(work: Work, schema: Json): SchemaCheck {
  const compiled = compileAgentSchema(schema);
  if ("problem" in compiled) throw invalidTask(work, `its \`outputSchema\` cannot be used: ${compiled.problem}`);
  return compiled.check;
}

/** It may become an argument, and must not be taken for a flag. */
function modelOf(work: Work, sections: readonly JsonObject[]): string | undefined {
  const model = sections.map((section) => textField(work, section, "model")).find((name) => name);
  if (model !== undefined && !/^[^\s-]\S*$/u.test(model))
    throw invalidTask(work, `\`model\` is not a model name: ${JSON.stringify(model.slice(0, 60))}`);
  return model;
}

function asArgument(title: string): string {
  const line = title.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return line.replace(/^[- ]+/u, "").slice(0, MAX_TITLE);
}
