/**
 * The words of a task definition: kinds and fields that we know, and what someone probably meant by another one.
 * A word close to a known one is a mistake. Any other may be its author's own, and is only named.
 */
import { editDistance } from "./edit-distance.js";
import { isJsonObject, type JsonObject } from "./json.js";
import { kindsFor } from "./task-kinds.js";

/** Kinds that a definition can have without declaring them. */
const KINDS: readonly string[] = kindsFor("engine", "agent", "person", "time");
/** Part of the author API, although nobody here executes them. */
const OUTSIDE_KINDS: readonly string[] = ["hook", "orchestrator_task"];

const TASK_FIELDS = [
  "kind",
  "id",
  "name",
  "title",
  "description",
  "label",
  "labels",
  "metadata",
  "io",
  "source",
  "node",
  "shell",
  "agent",
  "skill",
  "breakpoint",
  "sleep",
  "hook",
  "orchestratorTask",
  "subprocess",
  "inputSchema",
  "outputSchema",
  "retry",
  "timeout",
  "timeoutMs",
  "cwd",
  "env",
  "secretEnv",
  "execution",
  "model",
] as const;
const FIELDS: readonly string[] = TASK_FIELDS;

const COMMAND_FIELDS = ["args", "env", "secretEnv", "cwd", "stdin", "timeout", "timeoutMs"] as const;

/** Sections that only the engine reads, so that it knows every field of them. */
const SECTIONS = {
  node: ["entry", ...COMMAND_FIELDS],
  shell: ["command", "argv", ...COMMAND_FIELDS, "allowFailure"],
  retry: ["attempts", "backoffMs", "factor", "maxBackoffMs", "on", "interrupted"],
} as const;

/** The same for the compiler, which tells authors while they write. */
export type TaskField = (typeof TASK_FIELDS)[number];
export type SectionField<Name extends keyof typeof SECTIONS> = (typeof SECTIONS)[Name][number];

/** Each field, and what other tools call it. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  command: ["cmd", "run"],
  entry: ["script", "file", "path"],
  env: ["environment"],
  cwd: ["dir", "workdir", "workingDir", "workingDirectory"],
  stdin: ["input"],
  allowFailure: ["ignoreFailure", "continueOnError"],
  attempts: ["max", "times", "count", "retries", "maxAttempts"],
  backoffMs: ["backoff", "delay", "delayMs"],
  factor: ["multiplier"],
};

/** How far a kind may be from a built-in one to be taken for it. */
const NEAR_KIND = 2;

/** A word that cannot have been meant. */
export interface WordMistake {
  /** Where it is in the definition, such as `kind` or `retry.atempts`. */
  path: string;
  /** The known word that is closest to it, if one is close. */
  nearest: string | undefined;
  /** What is wrong, what was probably meant and what is accepted; follows the name of the task. */
  problem: string;
  /** What to do if it was meant. */
  hint?: string;
}

/** Words that nobody here knows, but that may mean something to whoever executes the task. */
export interface UnknownWords {
  kind: string | undefined;
  fields: string[];
}

/** What cannot be right in a definition; `kinds` are those that the project has declared. */
export function wordMistakes(definition: JsonObject, kinds: readonly string[] = []): WordMistake[] {
  return [
    ...kindMistakes(definition, kinds),
    ...Object.keys(definition).flatMap(fieldMistakes),
    ...Object.entries(SECTIONS).flatMap(([name, known]) => sectionMistakes(definition, name, known)),
  ];
}

/** What is only unusual in a definition. Null and undefined are as good as absent. */
export function unknownWords(definition: JsonObject, kinds: readonly string[] = []): UnknownWords {
  const { kind } = definition;
  const isKnown = typeof kind !== "string" || [...KINDS, ...OUTSIDE_KINDS, ...kinds].includes(kind);
  return {
    kind: isKnown ? undefined : kind,
    fields: Object.keys(definition).filter((field) => isUnknownField(definition, field, kinds)),
  };
}

function isUnknownField({ kind }: JsonObject, field: string, kinds: readonly string[]): boolean {
  if (FIELDS.includes(field) || field === kind) return false;
  // A kind that the project has declared brings its own fields, and what an agent is told may have any name.
  if (typeof kind === "string" && kinds.includes(kind)) return false;
  return !(kind === "agent" || kind === "skill") || nearField(field) !== undefined;
}

/** One sentence for all of them, and what to do about it. */
export function describeUnknownWords(words: readonly ({ taskId: string } & UnknownWords)[]): string {
  const kinds = words.flatMap(({ kind }) => kind ?? []);
  const named = words.flatMap(({ taskId, kind, fields }) => [
    ...(kind === undefined ? [] : [`kind ${quoted(kind)} of task ${quoted(taskId)}`]),
    ...fields.map((field) => `field ${quoted(field)}${near(field)} of task ${quoted(taskId)}`),
  ]);
  const list = named.length > MAX_NAMED ? [...named.slice(0, MAX_NAMED), `${named.length - MAX_NAMED} more`] : named;
  const way =
    kinds.length === 0
      ? ""
      : ` Tasks of an unknown kind wait until another program posts their results; declare kinds of your own in .a5c/config.json: ${declaration([...new Set(kinds)])}.`;
  return `Unknown: ${list.join(", ")}.${way}`;
}

/** A warning is one line. */
const MAX_NAMED = 8;

function near(field: string): string {
  const nearest = nearField(field);
  return nearest === undefined ? "" : ` (did you mean ${quoted(nearest)}?)`;
}

/** Short words are near to many others. */
function nearField(field: string): string | undefined {
  return nearestWord(field, FIELDS, Math.min(2, Math.floor(field.length / 3)));
}

function declaration(kinds: readonly string[]): string {
  return JSON.stringify({ tasks: { kinds } });
}

/** The known word that is at most `limit` letters away, whatever its case. */
export function nearestWord(word: string, known: readonly string[], limit: number): string | undefined {
  const wanted = word.toLowerCase();
  const [best] = known
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= limit ? best.name : undefined;
}

function kindMistakes(definition: JsonObject, declared: readonly string[]): WordMistake[] {
  const { kind } = definition;
  if (kind === undefined || kind === null || kind === "") return absentKind(definition);
  if (typeof kind !== "string")
    return [mistake("kind", undefined, `has ${JSON.stringify(kind).slice(0, 60)} as its kind, which must be a string`)];
  if ([...KINDS, ...OUTSIDE_KINDS, ...declared].includes(kind)) return [];
  const nearest = nearestWord(kind, KINDS, NEAR_KIND);
  if (nearest === undefined) return [];
  const hint = `If ${quoted(kind)} is a kind of your own, declare it in .a5c/config.json: ${declaration([kind])}.`;
  return [{ ...mistake("kind", nearest, `has the unknown kind ${quoted(kind)}`, `Kinds: ${KINDS.join(", ")}`), hint }];
}

/** A section may name the kind; then it must be spelt right. */
function absentKind(definition: JsonObject): WordMistake[] {
  if (KINDS.some((kind) => definition[kind] !== undefined)) return [];
  const found = Object.keys(definition)
    .map((field) => ({ field, nearest: FIELDS.includes(field) ? undefined : nearestWord(field, KINDS, NEAR_KIND) }))
    .find(({ nearest }) => nearest !== undefined);
  if (found === undefined) return [];
  return [mistake(found.field, found.nearest, `has no kind, but ${quoted(found.field)}`, `Kinds: ${KINDS.join(", ")}`)];
}

function fieldMistakes(field: string): WordMistake[] {
  if (FIELDS.includes(field)) return [];
  const nearest = nearestWord(field, FIELDS, 0);
  return nearest === undefined ? [] : [mistake(field, nearest, `has the unknown field ${quoted(field)}`)];
}

function sectionMistakes(definition: JsonObject, name: string, known: readonly string[]): WordMistake[] {
  const section = definition[name];
  if (!isJsonObject(section)) return [];
  return Object.keys(section)
    .filter((field) => !known.includes(field))
    .map((field) => {
      const same = known.find((word) => OTHER_NAMES[word]?.includes(field));
      const nearest = same ?? nearestWord(field, known, Math.max(2, Math.floor(field.length / 3)));
      const said = `has the unknown field ${quoted(`${name}.${field}`)}`;
      return mistake(
        `${name}.${field}`,
        nearest === undefined ? undefined : `${name}.${nearest}`,
        said,
        `Fields of ${name}: ${known.join(", ")}`,
      );
    });
}

function mistake(path: string, nearest: string | undefined, said: string, accepted?: string): WordMistake {
  const meant = nearest === undefined ? "" : ` Did you mean ${quoted(nearest)}?`;
  return { path, nearest, problem: `${said}.${meant}${accepted === undefined ? "" : ` ${accepted}.`}` };
}

function quoted(word: string): string {
  return JSON.stringify(word.slice(0, 60));
}
