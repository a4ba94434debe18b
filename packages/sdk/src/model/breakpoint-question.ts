/** What a process asked a human, read from what it passed to ctx.breakpoint. Nothing in it can be relied on. */
import { defined, isJsonObject, type Json, type JsonObject } from "./json.js";

/** One of the answers that are offered. */
export interface AnswerOption {
  label: string;
  id?: string;
  /** Choosing it is a no. */
  rejects: boolean;
}

/** A file that the process wants reviewed. */
export interface AskedFile {
  path: string;
  format?: string;
  language?: string;
  /** Git revision that it is compared with. */
  base?: string;
}

export interface BreakpointQuestion {
  question: string;
  title?: string;
  options: AnswerOption[];
  risk?: string;
  /** What follows from each answer. */
  consequences?: { approve?: string; reject?: string };
  files: AskedFile[];
  /** Whatever else the process wants to be seen: its context without the files. */
  facts: JsonObject;
}

const NO_WORDS = ["no", "n", "reject", "rejected", "deny", "decline"];

/** The question in the definition of an effect of kind breakpoint. */
export function questionIn(definition: Json, title: string | undefined): BreakpointQuestion {
  const breakpoint = field(definition, "breakpoint");
  const payload = field(breakpoint, "payload") ?? breakpoint ?? null;
  const context = field(payload, "context");
  const options = field(payload, "options");
  const files = field(context, "files");
  const consequences = consequencesIn(field(payload, "consequences"));
  return {
    question: text(field(payload, "question")) ?? text(field(payload, "title")) ?? title ?? "Approve?",
    ...defined({ title: text(field(payload, "title")), risk: text(field(payload, "risk"))?.trim().toLowerCase() }),
    ...defined({ consequences }),
    options: Array.isArray(options) ? options.flatMap(optionIn) : [],
    files: Array.isArray(files) ? files.flatMap(fileIn) : [],
    facts: factsIn(context),
  };
}

/** A question with its title, for lists: whoever reads only the beginning should know what it is about. */
export function titledQuestion({ question, title }: Pick<BreakpointQuestion, "question" | "title">): string {
  if (title === undefined || title === question) return question;
  return `${title}${/[?!.:]\s*$/u.test(title) ? "" : ":"} ${question}`;
}

/** The offered answers that a person can mean by a label or id: more than one when the question is not clear. */
export function optionsNamed({ options }: Pick<BreakpointQuestion, "options">, name: string): AnswerOption[] {
  const wanted = plain(name);
  const exact = options.filter(({ label, id }) => label === name || id === name);
  if (exact.length > 0) return exact;
  return options.filter(({ label, id }) => plain(label) === wanted || (id !== undefined && plain(id) === wanted));
}

function optionIn(option: Json): AnswerOption[] {
  if (typeof option === "string") return [{ label: option, rejects: isNo(option) }];
  const id = text(field(option, "id")) ?? text(field(option, "value"));
  const label = text(field(option, "label")) ?? id;
  if (label === undefined) return [];
  const styled = field(option, "style") === "danger" || field(option, "reject") === true;
  return [{ label, ...defined({ id }), rejects: styled || isNo(label) || isNo(id ?? "") }];
}

function consequencesIn(value: Json | undefined): BreakpointQuestion["consequences"] {
  const said = defined({ approve: text(field(value, "approve")), reject: text(field(value, "reject")) });
  return Object.keys(said).length === 0 ? undefined : said;
}

function fileIn(file: Json): AskedFile[] {
  const path = text(file) ?? text(field(file, "path")) ?? text(field(file, "file"));
  if (path === undefined) return [];
  const [format, language, base] = ["format", "language", "base"].map((name) => text(field(file, name)));
  return [{ path, ...defined({ format, language, base }) }];
}

function factsIn(context: Json | undefined): JsonObject {
  if (context === undefined || context === null) return {};
  if (!isJsonObject(context)) return { context };
  const { files: _, ...facts } = context;
  return facts;
}

function isNo(label: string): boolean {
  return NO_WORDS.includes(plain(label));
}

function plain(label: string): string {
  return label.trim().toLowerCase();
}

function field(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
