/**
 * The file in which the loop of a session can be seen and handed over: fields between two `---` lines, then the
 * prompt. The prompt is anyone's text. Nothing in it is ever read as a field, and it comes back byte for byte.
 */

export interface SessionFile {
  active: boolean;
  /** 1-based. */
  iteration: number;
  /** 0 = unlimited. */
  maxIterations: number;
  /** Null: the file says that there is none. */
  completionPromise?: string | null;
  /** Empty: the file says that there is none yet. */
  runId?: string;
  runDir?: string;
  harness?: string;
  startedAt?: string;
  lastIterationAt?: string;
  /** Lengths of the last three iterations, in seconds. */
  iterationTimes: number[];
  prompt: string;
  /** Fields of others, as they were written. */
  unknown: [key: string, value: string][];
}

export type ParsedSessionFile = { ok: true; session: SessionFile } | { ok: false; problem: string };

/** Far more than a prompt that an agent could read. */
export const MAX_SESSION_FILE = 8 * 1024 * 1024;

const FENCE = "---";
const KEPT_TIMES = 3;

const FIELDS = [
  "active",
  "iteration",
  "max_iterations",
  "completion_promise",
  "run_id",
  "run_dir",
  "harness",
  "started_at",
  "last_iteration_at",
  "iteration_times",
] as const;

type Field = (typeof FIELDS)[number];

const OPTIONAL_TEXTS = [
  ["runDir", "run_dir"],
  ["harness", "harness"],
  ["startedAt", "started_at"],
  ["lastIterationAt", "last_iteration_at"],
] as const;

interface Fields {
  known: Map<Field, string>;
  unknown: [string, string][];
}

/** Reads a file in our form or in one that a shell script has written. Comments between the fields are skipped. */
export function parseSessionFile(text: string): ParsedSessionFile {
  const parts = splitAtFences(text);
  if (typeof parts === "string") return { ok: false, problem: parts };
  const fields = readFields(parts.head);
  if (typeof fields === "string") return { ok: false, problem: fields };
  const counts = readCounts(fields.known);
  if (typeof counts === "string") return { ok: false, problem: counts };
  const session = { ...counts, ...readTexts(fields.known), prompt: parts.prompt, unknown: fields.unknown };
  return { ok: true, session };
}

export function renderSessionFile(session: SessionFile): string {
  const { completionPromise, runId, runDir, harness, startedAt, lastIterationAt } = session;
  const lines = [
    FENCE,
    `active: ${session.active}`,
    `iteration: ${session.iteration}`,
    `max_iterations: ${session.maxIterations}`,
    ...(completionPromise === undefined ? [] : [`completion_promise: ${promiseValue(completionPromise)}`]),
    ...quotedField("run_id", runId),
    ...quotedField("run_dir", runDir),
    ...quotedField("harness", harness),
    ...quotedField("started_at", startedAt),
    ...quotedField("last_iteration_at", lastIterationAt),
    fieldLine("iteration_times", timesValue(session.iterationTimes)),
    ...session.unknown.map(([key, value]) => fieldLine(key, value)),
    FENCE,
    "",
  ];
  const head = lines.join("\n");
  return session.prompt === "" ? head : `${head}\n${session.prompt}\n`;
}

/** Lines between the fences, and what follows them, or what is wrong. */
function splitAtFences(text: string): { head: string[]; prompt: string } | string {
  if (text.length > MAX_SESSION_FILE) return "the file is too large";
  if (text === "") return "the file is empty";
  if (text.startsWith("\uFEFF")) return "the file starts with a byte order mark";
  let line = lineAt(text, 0);
  if (!isFence(line.text)) return "no frontmatter: the first line is not ---";
  const head: string[] = [];
  while (line.next < text.length) {
    line = lineAt(text, line.next);
    if (isFence(line.text)) return { head, prompt: promptOf(text.slice(line.next), line.ending) };
    head.push(line.text);
  }
  return "the frontmatter is not closed: the second --- line is missing";
}

function lineAt(text: string, start: number): { text: string; next: number; ending: string } {
  const end = text.indexOf("\n", start);
  if (end === -1) return { text: text.slice(start), next: text.length, ending: "\n" };
  const crlf = end > start && text[end - 1] === "\r";
  return { text: text.slice(start, crlf ? end - 1 : end), next: end + 1, ending: crlf ? "\r\n" : "\n" };
}

function isFence(line: string): boolean {
  return line.startsWith(FENCE) && line.trimEnd() === FENCE;
}

/** One blank line before and one line end after the prompt are not part of it; any more of them are. */
function promptOf(body: string, ending: string): string {
  const begun = body.startsWith(ending) ? body.slice(ending.length) : body;
  return begun.endsWith(ending) ? begun.slice(0, -ending.length) : begun;
}

function readFields(lines: readonly string[]): Fields | string {
  const fields: Fields = { known: new Map(), unknown: [] };
  /** A field of others may go on in the next lines, as lists in YAML do. */
  let open: [string, string] | undefined;
  for (const line of lines) {
    if (holdsControls(line)) return "the frontmatter contains control characters";
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    if (open !== undefined && /^(?:[ \t]|- )/.test(line)) {
      open[1] += `\n${line}`;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 1 || /^[\s-]/.test(line)) return `the frontmatter line ${shown(line)} is not 'key: value'`;
    const key = line.slice(0, colon).trimEnd();
    const value = line.slice(colon + 1).trim();
    open = isField(key) ? undefined : [key, value];
    if (open !== undefined) fields.unknown.push(open);
    else if (fields.known.has(key as Field)) return `'${key}' field appears twice`;
    else fields.known.set(key as Field, value);
  }
  return fields;
}

/** The fields that a loop cannot do without, or the first that is wrong. */
function readCounts(
  known: ReadonlyMap<Field, string>,
): Pick<SessionFile, "active" | "iteration" | "maxIterations" | "iterationTimes"> | string {
  const iteration = parseCount(known.get("iteration"));
  if (iteration === undefined) return "'iteration' field is not a valid number";
  const maxIterations = parseCount(known.get("max_iterations"));
  if (maxIterations === undefined) return "'max_iterations' field is not a valid number";
  const active = unquoted(known.get("active") ?? "");
  if (active !== "true" && active !== "false") return "'active' field is not true or false";
  const iterationTimes = parseTimes(known.get("iteration_times") ?? "");
  if (iterationTimes === undefined) return "'iteration_times' field is not a list of numbers";
  return { active: active === "true", iteration, maxIterations, iterationTimes };
}

type Texts = Pick<SessionFile, "completionPromise" | "runId" | "runDir" | "harness" | "startedAt" | "lastIterationAt">;

function readTexts(known: ReadonlyMap<Field, string>): Texts {
  const texts: Texts = {};
  const promise = known.get("completion_promise");
  if (promise !== undefined) texts.completionPromise = parsePromise(promise);
  const runId = known.get("run_id");
  if (runId !== undefined) texts.runId = parseText(runId);
  for (const [name, field] of OPTIONAL_TEXTS) {
    const text = parseText(known.get(field) ?? "");
    if (text !== "") texts[name] = text;
  }
  return texts;
}

function parseText(value: string): string {
  return value === "null" ? "" : unquoted(value);
}

/** Decimal digits only: scripts that calculate with `08` get it wrong, and so would `1e3` or `-1` be a surprise. */
function parseCount(value: string | undefined): number | undefined {
  const digits = unquoted(value ?? "");
  if (!/^[0-9]+$/.test(digits)) return undefined;
  const count = Number(digits);
  return Number.isSafeInteger(count) ? count : undefined;
}

function parseTimes(value: string): number[] | undefined {
  const list = unquoted(value);
  if (list === "") return [];
  const times = list.split(",").map((time) => time.trim());
  if (!times.every((time) => /^[0-9]{1,15}(?:\.[0-9]{1,9})?$/.test(time))) return undefined;
  return times.slice(-KEPT_TIMES).map(Number);
}

/** `null` means none with quotes and without, as in the files of scripts; so does an empty text. */
function parsePromise(value: string): string | null {
  return value === "null" || value === '"null"' ? null : unquoted(value) || null;
}

function promiseValue(promise: string | null): string {
  if (promise === null) return "null";
  return promise === "null" ? '"\\u006eull"' : JSON.stringify(promise);
}

/** The text of a value: a JSON string, text that a script has put into quotes without escaping, or as it stands. */
function unquoted(value: string): string {
  const quote = value[0];
  if (value.length < 2 || (quote !== '"' && quote !== "'") || !value.endsWith(quote)) return value;
  const inner = value.slice(1, -1);
  if (quote === "'") return inner.replaceAll("''", "'");
  try {
    return String(JSON.parse(value));
  } catch {
    return inner;
  }
}

function timesValue(times: readonly number[]): string {
  const usable = times.filter((time) => time >= 0 && time < 1e15);
  return usable
    .slice(-KEPT_TIMES)
    .map((time) => String(Number(time.toFixed(3))))
    .join(",");
}

function quotedField(key: Field, value: string | undefined): string[] {
  return value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`];
}

function fieldLine(key: string, value: string): string {
  return value === "" || value.startsWith("\n") ? `${key}:${value}` : `${key}: ${value}`;
}

function isField(key: string): key is Field {
  return (FIELDS as readonly string[]).includes(key);
}

function holdsControls(line: string): boolean {
  for (let at = 0; at < line.length; at += 1) if (line.charCodeAt(at) < 32 && line[at] !== "\t") return true;
  return false;
}

function shown(line: string): string {
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 40)}…` : line);
}

/** What is known of a session from its file. */
export type FoundSession =
  | { kind: "none" }
  | { kind: "found"; file: string; session: SessionFile }
  | { kind: "corrupt"; file: string; problem: string };
