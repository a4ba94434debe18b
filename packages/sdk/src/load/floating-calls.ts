/**
 * Finds calls that nobody waits for: `forEach` with an async function, calls of async functions of the same file, and
 * calls of `ctx`. This is a scan and not a parse: it sees statements that consist of such a call, and names that are
 * spelled out. What is assigned, returned, passed on or marked with `void` is taken as meant.
 */
import { placedTokensOf } from "./gate-scan.js";

export interface FloatingCall {
  code: "ASYNC_FOR_EACH" | "FLOATING_CALL";
  /** The call as it is written, such as `deploy` or `items.forEach`. */
  call: string;
  line: number;
  /** First and last line of the code whose end nobody waits for. */
  body: readonly [number, number];
}

const CONTEXT = new Set(["ctx", "context"]);
const CONTEXT_CALLS = new Set(["task", "breakpoint", "sleep", "sleepUntil", "hook"]);
const PARALLEL_CALLS = new Set(["all", "map", "race", "settled"]);

export function scanFloatingCalls(text: string): FloatingCall[] {
  // Most files have none.
  if (!/\basync\b|\bctx\b|\bcontext\b/u.test(text)) return [];
  const source = new Source(text);
  return [...source.asyncForEach(), ...source.floating()].toSorted((a, b) => a.line - b.line);
}

const OPENING = new Set(["(", "[", "{", "${"]);
const CLOSING = new Set([")", "]", "}"]);
/** Behind these an expression goes on, whatever line it is in. */
const GOES_ON = new Set("= , ( + - * / % & | ^ ! ~ ? : < > [ . ${ ?. @".split(" "));
const BEFORE_OPERAND = new Set(
  "await return void yield typeof new delete throw in of instanceof case extends function async get set static class const let var import export default".split(
    " ",
  ),
);

class Source {
  readonly #tokens: readonly string[];
  readonly #lines: readonly number[];
  /** For every opening bracket, where it is closed. */
  readonly #closing = new Map<number, number>();
  readonly #opening = new Map<number, number>();

  constructor(text: string) {
    const { tokens, lines } = placedTokensOf(text);
    [this.#tokens, this.#lines] = [tokens, lines];
    const open: number[] = [];
    tokens.forEach((token, at) => {
      if (OPENING.has(token)) open.push(at);
      if (!CLOSING.has(token)) return;
      const opened = open.pop();
      if (opened === undefined) return;
      this.#closing.set(opened, at);
      this.#opening.set(at, opened);
    });
  }

  asyncForEach(): FloatingCall[] {
    return this.#tokens.flatMap((token, at) => {
      const [open, first, second] = [1, 2, 3].map((offset) => this.#tokens[at + offset]);
      if (token !== "forEach" || open !== "(" || first !== "async" || second === "." || second === ",") return [];
      if (!this.#isMember(at)) return [];
      return [{ code: "ASYNC_FOR_EACH", call: "forEach(async …)", ...this.#range(at, at + 1) } as const];
    });
  }

  floating(): FloatingCall[] {
    const functions = this.#asyncFunctions();
    return this.#tokens.flatMap((token, at) => {
      const call = CONTEXT.has(token) ? this.#contextCall(at) : functions.has(token) ? at + 1 : undefined;
      if (call === undefined || this.#tokens[call] !== "(" || !this.#beginsStatement(at)) return [];
      if (!this.#endsStatement(call)) return [];
      const own = this.#range(at, call);
      const body = functions.get(token) ?? own.body;
      const name = this.#tokens.slice(at, call).join("");
      return [{ code: "FLOATING_CALL", call: name, line: own.line, body } as const];
    });
  }

  /** Where the arguments of `ctx.task(` or `ctx.parallel.all(` begin. */
  #contextCall(at: number): number | undefined {
    const [dot, name = "", second, helper = ""] = this.#tokens.slice(at + 1, at + 5);
    if (dot !== "." || this.#isMember(at)) return undefined;
    if (CONTEXT_CALLS.has(name)) return at + 3;
    return name === "parallel" && second === "." && PARALLEL_CALLS.has(helper) ? at + 5 : undefined;
  }

  /** Async functions by name, with the lines of their bodies; a name with several meanings is left out. */
  #asyncFunctions(): Map<string, readonly [number, number]> {
    const found = new Map<string, readonly [number, number]>();
    const others = new Set<string>();
    this.#tokens.forEach((token, at) => {
      const declared = token === "function" ? this.#declared(at) : this.#assigned(at);
      if (declared === undefined) return;
      const { name, isAsync, end } = declared;
      if (!isAsync || found.has(name)) others.add(name);
      else found.set(name, [this.#line(at), this.#line(end)]);
    });
    for (const name of others) found.delete(name);
    return found;
  }

  /** `async function name(…) {…}`. */
  #declared(at: number): { name: string; isAsync: boolean; end: number } | undefined {
    const name = this.#tokens[at + 1];
    if (name === undefined || this.#tokens[at + 2] !== "(") return undefined;
    return { name, isAsync: this.#tokens[at - 1] === "async", end: this.#bodyEnd(at + 2) };
  }

  /** `const name = async (…) => …`, or a variable or parameter that is something else. */
  #assigned(at: number): { name: string; isAsync: boolean; end: number } | undefined {
    const [keyword = "", name, equals, async, open] = this.#tokens.slice(at, at + 5);
    if (!["const", "let", "var"].includes(keyword) || name === undefined || OPENING.has(name)) return undefined;
    const isAsync = keyword === "const" && equals === "=" && async === "async" && open !== ".";
    return { name, isAsync, end: isAsync && open === "(" ? this.#bodyEnd(at + 4) : at };
  }

  /** The end of the block behind a list of parameters; an arrow may lead to it. */
  #bodyEnd(parameters: number): number {
    const close = this.#closing.get(parameters) ?? parameters;
    const arrow = this.#tokens[close + 1] === "=" && this.#tokens[close + 2] === ">";
    const open = arrow ? close + 3 : close + 1;
    return this.#closing.get(open) ?? open;
  }

  #range(at: number, open: number): { line: number; body: readonly [number, number] } {
    return { line: this.#line(at), body: [this.#line(at), this.#line(this.#closing.get(open) ?? open)] };
  }

  #line(at: number): number {
    return this.#lines[Math.min(at, this.#lines.length - 1)] ?? 1;
  }

  #isMember(at: number): boolean {
    return this.#tokens[at - 1] === "." || this.#tokens[at - 1] === "?.";
  }

  #beginsStatement(at: number): boolean {
    const before = this.#tokens[at - 1];
    if (before === undefined || before === ";" || before === "{" || before === "}" || before === "else") return true;
    if (before === ")") return this.#endsCondition(at - 1) || this.#line(at) > this.#line(at - 1);
    if (GOES_ON.has(before) || BEFORE_OPERAND.has(before)) return false;
    return this.#line(at) > this.#line(at - 1);
  }

  /** A bracket that belongs to `if (…)` and the like. */
  #endsCondition(close: number): boolean {
    const open = this.#opening.get(close);
    return open !== undefined && ["if", "while", "for"].includes(this.#tokens[open - 1] ?? "");
  }

  /** Nothing is done with what it answers, and it is no definition of a method. */
  #endsStatement(open: number): boolean {
    const close = this.#closing.get(open);
    if (close === undefined) return false;
    const after = this.#tokens[close + 1];
    if (after === undefined || after === ";" || after === "}") return true;
    return after !== "{" && after !== "`" && !GOES_ON.has(after) && this.#line(close + 1) > this.#line(close);
  }
}
