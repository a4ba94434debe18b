/**
 * Computed arguments of `import()` and `require()`: what is constant in them says which files they can name. This is a
 * scan, like the one for gates; what it does not understand is a part that could be anything.
 */
import { tokensOf } from "./gate-scan.js";

export interface ComputedImports {
  /** Put together of constants only. */
  specifiers: string[];
  /** Paths from the importing file, in which `*` stands for a computed name. */
  patterns: string[];
  /** True when there is one that could name any file. */
  blind: boolean;
}

/** A constant text, or undefined for a part that is known only when the code runs. */
type Piece = string | undefined;

/** The importing file; only its folder is of use. */
const FILE = "\0file";
const HERE = ".";
const ANYTHING: readonly Piece[] = [undefined];
/** Constants made of constants made of constants. */
const MAX_DEPTH = 8;
/** Brackets in brackets; nobody puts a path together in that many. */
const MAX_NESTING = 8;
/** Tokens of an argument that is not understood. */
const MAX_SKIPPED = 200;
/** Calls in one file; nobody writes that many. */
const MAX_CALLS = 2_000;

export function scanComputed(text: string): ComputedImports {
  const tokens = tokensOf(text);
  const constants = constantsIn(tokens);
  const [specifiers, patterns] = [new Set<string>(), new Set<string>()];
  let blind = false;
  let calls = 0;
  for (const [at, token] of tokens.entries()) {
    const isCall = (token === "import" || token === "require") && tokens[at + 1] === "(" && tokens[at - 1] !== ".";
    if (!isCall || tokens[at + 2] === ")") continue;
    calls += 1;
    if (calls > MAX_CALLS) return { specifiers: [...specifiers], patterns: [...patterns], blind: true };
    const pieces = new Reader(tokens, constants, at + 2).wholeArgument();
    const path = pieces.map((piece) => piece ?? "*").join("");
    if (!pieces.includes(undefined)) specifiers.add(path);
    else if (/^(?:\.{1,2}\/|\/|file:)/u.test(path)) patterns.add(path.replaceAll(/\*+/gu, "*"));
    // A name that begins like that of a package is one.
    else if (!/^[@\w]/u.test(path)) blind = true;
  }
  return { specifiers: [...specifiers], patterns: [...patterns], blind };
}

/** Reads an expression as a sum of constant texts and of parts that are not. */
class Reader {
  #at: number;
  #nesting = 0;
  readonly #tokens: readonly string[];
  readonly #constants: Constants;
  readonly #depth: number;

  constructor(tokens: readonly string[], constants: Constants, at: number, depth = 0) {
    this.#tokens = tokens;
    this.#constants = constants;
    this.#at = at;
    this.#depth = depth;
  }

  /** The argument that begins here, if it ends where an argument may end. */
  wholeArgument(): readonly Piece[] {
    const pieces = this.#sum();
    return [",", ")"].includes(this.#next ?? "") ? pieces : ANYTHING;
  }

  /** What a constant is set to; nothing separates it from the next statement. */
  initializer(): readonly Piece[] {
    const pieces = this.#sum();
    return ["?", ".", "?.", "(", "[", "|", "&", "`"].includes(this.#next ?? "") ? ANYTHING : pieces;
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at];
  }

  #takes(...wanted: string[]): boolean {
    if (!wanted.every((token, offset) => this.#tokens[this.#at + offset] === token)) return false;
    this.#at += wanted.length;
    return true;
  }

  #sum(): readonly Piece[] {
    if (this.#nesting >= MAX_NESTING) return ANYTHING;
    this.#nesting += 1;
    const pieces = [...this.#term()];
    while (this.#takes("+")) pieces.push(...this.#term());
    this.#nesting -= 1;
    return pieces;
  }

  #term(): readonly Piece[] {
    const token = this.#next ?? "";
    if (token.startsWith('"')) {
      this.#at += 1;
      return [token.slice(1, -1)];
    }
    if (token.startsWith("`")) return this.#template();
    if (this.#takes("import", ".", "meta", ".", "dirname") || this.#takes("__dirname")) return [HERE];
    if (this.#takes("import", ".", "meta", ".", "url") || this.#takes("import", ".", "meta", ".", "filename"))
      return [FILE];
    if (this.#takes("__filename")) return [FILE];
    if (this.#takes("(")) return this.#grouped();
    this.#takes("new");
    return /^[\p{ID_Start}$_]/u.test(this.#next ?? "") ? this.#named() : ANYTHING;
  }

  #grouped(): readonly Piece[] {
    const pieces = this.#sum();
    return this.#takes(")") ? pieces : ANYTHING;
  }

  /** Tokens of a template: its texts, each with the mark before it, and the code between them. */
  #template(): readonly Piece[] {
    const pieces: Piece[] = [];
    for (;;) {
      const text = this.#next ?? "";
      if (!text.startsWith("`")) return ANYTHING;
      this.#at += 1;
      pieces.push(text.slice(1));
      if (this.#takes("`")) return pieces;
      if (!this.#takes("${")) return ANYTHING;
      const inner = this.#sum();
      pieces.push(...(this.#next === "}" ? inner : ANYTHING));
      if (!this.#skipTo("}") || !this.#takes("}")) return ANYTHING;
    }
  }

  /** To the first of these that closes what is open here, or separates it from the next. */
  #skipTo(...ends: string[]): boolean {
    const limit = Math.min(this.#tokens.length, this.#at + MAX_SKIPPED);
    for (let depth = 0; this.#at < limit; this.#at += 1) {
      const token = this.#next ?? "";
      if (depth === 0 && ends.includes(token)) return true;
      if (["(", "[", "{", "${"].includes(token)) depth += 1;
      if ([")", "]", "}"].includes(token)) depth -= 1;
    }
    return false;
  }

  /** A variable, or a call of one of the functions that put paths together. */
  #named(): readonly Piece[] {
    let name = this.#tokens[this.#at++] ?? "";
    const isPlain = this.#next !== ".";
    while (this.#next === "." && this.#tokens[this.#at + 1] !== undefined) {
      name = this.#tokens[this.#at + 1] as string;
      this.#at += 2;
    }
    if (!this.#takes("(")) return isPlain ? this.#constant(name) : ANYTHING;
    const args = this.#arguments();
    // The same file, written in another way.
    void (this.#takes(".", "href") || this.#takes(".", "pathname") || this.#takes(".", "toString", "(", ")"));
    return args === undefined ? ANYTHING : called(name, args);
  }

  #arguments(): (readonly Piece[])[] | undefined {
    const args: (readonly Piece[])[] = [];
    while (!this.#takes(")")) {
      args.push(this.#sum());
      if (this.#next !== "," && this.#next !== ")") {
        args[args.length - 1] = ANYTHING;
        if (!this.#skipTo(",", ")")) return undefined;
      }
      this.#takes(",");
    }
    return args;
  }

  #constant(name: string): readonly Piece[] {
    if (this.#depth >= MAX_DEPTH) return ANYTHING;
    const at = this.#constants.get(name);
    return at === undefined ? ANYTHING : new Reader(this.#tokens, this.#constants, at, this.#depth + 1).initializer();
  }
}

/** Where the value of each constant begins. Of two with one name nobody knows here which one is meant. */
type Constants = ReadonlyMap<string, number | undefined>;

function constantsIn(tokens: readonly string[]): Constants {
  const constants = new Map<string, number | undefined>();
  for (const [at, token] of tokens.entries()) {
    const name = tokens[at + 1];
    if (token === "const" && name !== undefined && tokens[at + 2] === "=")
      constants.set(name, constants.has(name) ? undefined : at + 3);
  }
  return constants;
}

function called(name: string, args: readonly (readonly Piece[])[]): readonly Piece[] {
  const [first = ANYTHING, second] = args;
  switch (name) {
    case "join":
    case "resolve":
      return first[0] === HERE ? args.flatMap((arg, n) => (n === 0 ? arg : ["/", ...arg])) : ANYTHING;
    case "dirname":
      return first.length === 1 && first[0] === FILE ? [HERE] : ANYTHING;
    case "pathToFileURL":
    case "fileURLToPath":
      return first;
    case "URL":
      return second?.[0] === FILE ? relative(first) : ANYTHING;
    default:
      return ANYTHING;
  }
}

/** Of a URL: `x.js` and `./x.js` are the same. */
function relative(pieces: readonly Piece[]): readonly Piece[] {
  const [first, ...rest] = pieces;
  return first === undefined || /^(?:\.{1,2}(?:\/|$)|\/|[a-z]+:)/u.test(first) ? pieces : [`./${first}`, ...rest];
}
