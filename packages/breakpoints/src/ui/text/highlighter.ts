/** Source code in colours: kinds of words line by line, without any HTML. Loaded when the first code is shown. */
import type { Emitter } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { Span } from "./spans.js";

/** So many lines are read at once, with some before them so that most comments and strings are seen whole. */
const CHUNK = 800;
const LEAD_IN = 200;
/** Minified code and data: colours would take longer than they help. */
const MAX_CHUNK = 200_000;

/** Scopes of the library by what they mean to a reader; what is missing looks like plain text. */
const KINDS: Readonly<Record<string, string>> = {
  keyword: "keyword",
  built_in: "keyword",
  "selector-tag": "keyword",
  name: "keyword",
  section: "title",
  title: "title",
  string: "string",
  regexp: "string",
  "template-tag": "string",
  link: "string",
  number: "value",
  literal: "value",
  symbol: "value",
  bullet: "value",
  type: "type",
  "selector-class": "type",
  "selector-id": "type",
  attr: "attribute",
  attribute: "attribute",
  property: "attribute",
  comment: "comment",
  quote: "comment",
  meta: "comment",
  doctag: "comment",
  addition: "added",
  deletion: "removed",
};

/** Takes down what the library finds as spans instead of HTML. */
class LineEmitter implements Emitter {
  readonly spans: Span[] = [];
  readonly #scopes: string[] = [];

  startScope(name: string): void {
    this.#scopes.push(name);
  }
  endScope(): void {
    this.#scopes.pop();
  }
  openNode(name: string): void {
    this.startScope(name);
  }
  closeNode(): void {
    this.endScope();
  }
  addText(text: string): void {
    const kind = this.#scopes.map((scope) => KINDS[scope.split(".")[0] ?? ""]).findLast((one) => one !== undefined);
    if (text !== "") this.spans.push(kind === undefined ? { text } : { text, kind: `code-${kind}` });
  }
  __addSublanguage(emitter: Emitter): void {
    if (emitter instanceof LineEmitter) this.spans.push(...emitter.spans);
  }
  toHTML(): string {
    return "";
  }
  finalize(): void {
    this.#scopes.length = 0;
  }
}

for (const [name, language] of Object.entries({
  bash,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
}))
  hljs.registerLanguage(name, language);
// Other languages know it by this name.
hljs.registerLanguage("javascript", typescript);
hljs.configure({ __emitter: LineEmitter });

/** The lines of a text in their colours; nothing when the language is unknown. */
export function highlightCode(text: string, language: string): Span[][] | undefined {
  if (hljs.getLanguage(language) === undefined || text.length > MAX_CHUNK) return undefined;
  const emitter = hljs.highlight(text, { language, ignoreIllegals: true })._emitter;
  return emitter instanceof LineEmitter ? splitLines(emitter.spans) : undefined;
}

function splitLines(spans: readonly Span[]): Span[][] {
  let line: Span[] = [];
  const lines = [line];
  for (const span of spans) {
    const [first = "", ...rest] = span.text.split("\n");
    if (first !== "") line.push({ ...span, text: first });
    for (const text of rest) {
      line = text === "" ? [] : [{ ...span, text }];
      lines.push(line);
    }
  }
  return lines;
}

/** Lines of a long file in their colours, as they are asked for. More lines may be added at its end. */
export class Highlighter {
  readonly #lines: readonly string[];
  readonly #language: string;
  readonly #chunks = new Map<number, { until: number; spans: Span[][] | undefined }>();

  constructor(lines: readonly string[], language: string) {
    this.#lines = lines;
    this.#language = language;
  }

  line(index: number): Span[] | undefined {
    const chunk = Math.floor(index / CHUNK);
    const until = Math.min((chunk + 1) * CHUNK, this.#lines.length);
    let known = this.#chunks.get(chunk);
    if (known?.until !== until) {
      known = { until, spans: this.#read(chunk * CHUNK, until) };
      this.#chunks.set(chunk, known);
    }
    return known.spans?.[index - chunk * CHUNK];
  }

  #read(from: number, until: number): Span[][] | undefined {
    const begin = Math.max(0, from - LEAD_IN);
    return highlightCode(this.#lines.slice(begin, until).join("\n"), this.#language)?.slice(from - begin);
  }
}
