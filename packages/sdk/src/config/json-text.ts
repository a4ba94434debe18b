/** JSON that people write by hand: every part knows where it stands, and a mistake is named with its place. */

/** A place in a text, counted from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/** A part of a JSON text; `at` is its offset. */
export type JsonPart = { at: number } & (
  | { kind: "object"; members: Map<string, { at: number; value: JsonPart }> }
  | { kind: "list"; items: JsonPart[] }
  | { kind: "scalar"; value: string | number | boolean | null }
);

/** What is wrong with a text, and where. */
export class JsonMistake extends Error {
  readonly at: number;

  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
  }
}

const DEEPEST = 50;

/** Throws a {@link JsonMistake}. */
export function parseJsonText(text: string): JsonPart {
  const reader = new JsonReader(text);
  return reader.whole();
}

export function placeAt(text: string, at: number): TextPlace {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}

/** The plain value of a part. */
export function valueOf(part: JsonPart): unknown {
  if (part.kind === "scalar") return part.value;
  if (part.kind === "list") return part.items.map(valueOf);
  return Object.fromEntries([...part.members].map(([key, { value }]) => [key, valueOf(value)]));
}

class JsonReader {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    // Some editors put a mark at the beginning.
    this.#at = text.startsWith("\uFEFF") ? 1 : 0;
  }

  whole(): JsonPart {
    this.#skipBlanks();
    if (this.#at === this.#text.length) throw this.#mistake("the file is empty; it must contain an object, such as {}");
    const part = this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#mistake(`unexpected ${this.#found()} after the end`);
    return part;
  }

  #value(depth: number): JsonPart {
    const at = this.#at;
    if (depth > DEEPEST) throw this.#mistake("it is nested too deeply");
    const next = this.#text[at];
    if (next === "{") return { at, kind: "object", members: this.#members(depth) };
    if (next === "[") return { at, kind: "list", items: this.#items(depth) };
    if (next === '"') return { at, kind: "scalar", value: this.#string() };
    const word = this.#match(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (word === undefined || this.#match(/[\w.+-]/y) !== undefined) {
      this.#at = at;
      throw this.#mistake(`expected a value, not ${this.#found()}`);
    }
    return { at, kind: "scalar", value: JSON.parse(word) as number | boolean | null };
  }

  #members(depth: number): Map<string, { at: number; value: JsonPart }> {
    const members = new Map<string, { at: number; value: JsonPart }>();
    this.#sequence("{", "}", () => {
      const at = this.#at;
      if (this.#text[at] !== '"') throw this.#mistake(`expected a key in double quotes, not ${this.#found()}`);
      const key = this.#string();
      const first = members.get(key);
      if (first !== undefined) {
        const { line } = placeAt(this.#text, first.at);
        throw new JsonMistake(at, `the key ${JSON.stringify(key)} appears twice, first on line ${line}`);
      }
      this.#skipBlanks();
      if (this.#match(/:/y) === undefined)
        throw this.#mistake(`expected a colon after ${JSON.stringify(key)}, not ${this.#found()}`);
      this.#skipBlanks();
      members.set(key, { at, value: this.#value(depth + 1) });
    });
    return members;
  }

  #items(depth: number): JsonPart[] {
    const items: JsonPart[] = [];
    this.#sequence("[", "]", () => void items.push(this.#value(depth + 1)));
    return items;
  }

  /** Elements between two brackets, with commas between them and none behind the last. */
  #sequence(open: string, close: string, element: () => void): void {
    this.#at += open.length;
    this.#skipBlanks();
    if (this.#takes(close)) return;
    for (;;) {
      element();
      this.#skipBlanks();
      if (this.#takes(close)) return;
      const comma = this.#at;
      if (!this.#takes(",")) throw this.#mistake(`expected a comma or ${close}, not ${this.#found()}`);
      this.#skipBlanks();
      if (this.#text[this.#at] === close) throw new JsonMistake(comma, `unexpected comma before ${close}`);
    }
  }

  #string(): string {
    const at = this.#at;
    const written = this.#match(/"(?:[^"\\\n]|\\[^\n])*"/y);
    if (written === undefined) throw new JsonMistake(at, "a string is not closed on its line");
    try {
      return JSON.parse(written) as string;
    } catch {
      throw new JsonMistake(at, "a string contains a tab, another control character or an invalid escape");
    }
  }

  #skipBlanks(): void {
    this.#match(/[ \t\r\n]*/y);
    if (/^\/[/*]|^#/u.test(this.#text.slice(this.#at, this.#at + 2)))
      throw this.#mistake("comments are not allowed in JSON");
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** What stands here, for a message. */
  #found(): string {
    const word = /^(?:[\w$.+-]{1,20}|[^])/u.exec(this.#text.slice(this.#at))?.[0];
    if (word === undefined) return "the end of the file";
    return word === "'" ? "a single quote" : JSON.stringify(word);
  }

  #mistake(problem: string): JsonMistake {
    return new JsonMistake(this.#at, problem);
  }
}
