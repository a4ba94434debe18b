/** Writes a task out as a prompt. Definitions are what people write, so nothing in them is left unsaid. */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../model/json.js";

export interface PromptRequest {
  title: string;
  definition: JsonObject;
  args: Json;
  schema: Json | undefined;
  /** Where the answer may be written, if the command takes it from a file. */
  outputFile: string | undefined;
}

/** An answer that could not be used. */
export interface RefusedAnswer {
  answer: string;
  problems: readonly string[];
}

export function renderAgentPrompt(request: PromptRequest): string {
  const { title, definition, args, schema, outputFile } = request;
  const said = [...nounSections(definition["agent"], "agent"), ...nounSections(definition["skill"], "skill")];
  const rest = sectionsOf(definition, NOT_FOR_AGENTS);
  const isSaid = [...said, ...rest].some(({ value }) => sameJson(value, args));
  const sections = [...said, ...rest, ...(isSaid || isEmpty(args) ? [] : [{ heading: "Arguments", value: args }])];
  return joinBlocks([
    `# ${title.replaceAll(/\s+/gu, " ").trim()}`,
    textOf(definition["description"]),
    ...nameLines(definition),
    ...sections.map(renderSection),
    "## How to answer",
    renderSchema(schema),
    renderPlace(outputFile),
  ]);
}

export function renderRepairPrompt(prompt: string, { answer, problems }: RefusedAnswer): string {
  return joinBlocks([
    prompt,
    "## Your first answer could not be used",
    answer === "" ? "It was empty." : `This is what you answered:\n\n${fence(answer, "")}`,
    `What was wrong with it:\n\n${problems.map((problem) => `- ${problem}`).join("\n")}`,
    "The work you have done so far is kept; do not repeat it. Give the whole answer again, as described under “How to answer”.",
  ]);
}

/** The ends of a text that is too long to be shown: the answer is most probably the last of it. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit / 3);
  const left = text.length - limit;
  return `${text.slice(0, head)}\n[… ${left} characters omitted …]\n${text.slice(text.length - (limit - head))}`;
}

interface Section {
  heading: string;
  value: Json;
}

/** Said elsewhere in the prompt, or for those who run the task. */
const NOT_FOR_AGENTS = new Set(["id", "kind", "name", "title", "description", "agent", "skill", "outputSchema"]);
for (const field of [
  "label",
  "labels",
  "io",
  "execution",
  "retry",
  "timeout",
  "timeoutMs",
  "cwd",
  "env",
  "secretEnv",
  "model",
])
  NOT_FOR_AGENTS.add(field);
const NOT_IN_SECTION = new Set(["name", "outputSchema", "model", "cwd", "timeout", "timeoutMs", "env", "secretEnv"]);
/** The order in which a reader wants to know; everything else comes after it, as written. */
const ORDER = ["role", "prompt", "task", "context", "instructions", "outputFormat"];

function nameLines(definition: JsonObject): string[] {
  const agent = nameOf(definition["agent"]);
  const skill = nameOf(definition["skill"]);
  return [
    ...(agent === undefined ? [] : [`You work as the agent **${agent}**.`]),
    ...(skill === undefined ? [] : [`Use the skill **${skill}**.`]),
  ];
}

function nameOf(part: Json | undefined): string | undefined {
  const name = isJsonObject(part) ? part["name"] : part;
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** `agent: { prompt: { role, task, … } }` and `skill: { context: { …, instructions } }` are told apart field by field. */
function nounSections(part: Json | undefined, noun: "agent" | "skill"): Section[] {
  if (part === undefined || typeof part === "string") return [];
  if (!isJsonObject(part)) return [{ heading: headingOf(noun), value: part }];
  const main = noun === "agent" ? "prompt" : "context";
  const inner = part[main];
  if (!isJsonObject(inner)) return sectionsOf(part, NOT_IN_SECTION);
  const { [main]: _, ...around } = part;
  const spoken = sectionsOf(noun === "agent" ? inner : skillContext(inner), new Set());
  return [...spoken, ...sectionsOf(around, NOT_IN_SECTION)];
}

/** What a skill is told, beside the facts it works on. */
function skillContext(context: JsonObject): JsonObject {
  const { role, task, instructions, outputFormat, ...facts } = context;
  const spoken = { role, task, instructions, outputFormat };
  const present = Object.entries(spoken).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return { ...Object.fromEntries(present), ...(isEmpty(facts) ? {} : { context: facts }) };
}

function sectionsOf(fields: JsonObject, leftOut: ReadonlySet<string>): Section[] {
  return Object.entries(fields)
    .filter(([key, value]) => !leftOut.has(key) && !isEmpty(value))
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .map(([key, value]) => ({ heading: headingOf(key), value }));
}

function rank(key: string): number {
  return ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length;
}

/** `outputFormat` becomes "Output format"; a string prompt is the task itself. */
function headingOf(key: string): string {
  if (key === "prompt") return "Task";
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .replaceAll(/[\s_-]+/gu, " ")
    .trim();
  const plain = words === words.toUpperCase() ? words : words.toLowerCase();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function renderSection({ heading, value }: Section): string {
  return `## ${heading}\n\n${renderValue(value)}`;
}

function renderValue(value: Json): string {
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return renderSteps(value);
  return typeof value === "object" && value !== null ? renderJson(value) : String(value);
}

/** Numbered, unless the author has done it. */
function renderSteps(steps: readonly string[]): string {
  const isNumbered = steps.every((step) => /^\s*(?:\d+[.)]|[-*])\s/u.test(step));
  return steps
    .map((step, index) => (isNumbered ? step.trim() : `${index + 1}. ${step.trim().replaceAll("\n", "\n   ")}`))
    .join("\n");
}

function renderSchema(schema: Json | undefined): string {
  if (schema === undefined) return "Answer with one JSON value.";
  return `Answer with one JSON value that is valid against this JSON Schema:\n\n${renderJson(schema)}`;
}

function renderPlace(outputFile: string | undefined): string {
  if (outputFile === undefined) return "Print it last, with nothing after it.";
  // Some commands write the last message of the agent into the file, over what the agent has written there.
  return `Write it to the file \`${outputFile}\`, and give the same value as your last message, with nothing else in it.`;
}

function renderJson(value: Json): string {
  return fence(JSON.stringify(value, null, 2), "json");
}

/** A fence that is longer than any inside it. */
function fence(text: string, language: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/gu)) longest = Math.max(longest, run.length);
  const marks = "`".repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return renderValue(value);
}

function joinBlocks(blocks: readonly string[]): string {
  return `${blocks
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .join("\n\n")}\n`;
}

function sameJson(one: Json, other: Json): boolean {
  return canonicalJson(one, "a section") === canonicalJson(other, "the arguments");
}

function isEmpty(value: Json): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
