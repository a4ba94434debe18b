import { createInterface, type Interface } from "node:readline";
import type { ReadStream } from "node:tty";
import type { Answer, Asker, Question, Settled } from "../../drive/progress.js";
import { isJsonObject, type Json } from "../../model/json.js";
import { quotedLines, saidText, shownLines } from "../../model/shown-text.js";
import { oneLine } from "../output/display-width.js";
import type { Paint } from "../output/paint.js";

interface TerminalAskerOptions {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  paint: Paint;
}

/** Asks the person at the terminal. Only a clear answer counts; leaving is always possible and decides nothing. */
export function askOnTerminal({ input, output, paint }: TerminalAskerOptions): Asker {
  tolerateLoss(input);
  return async (question, signal, settle) => {
    if (signal.aborted) return undefined;
    const print = (lines: readonly string[]): void => void output.write(lines.map((line) => `${line}\n`).join(""));
    const typed = await dropTypedAhead(input);
    if (typed.includes(CTRL_C)) return interrupt();
    print(questionLines(question, paint));
    const conversation = new Conversation({ input, output, signal });
    let answer: Answer;
    try {
      answer = await converse(conversation, question, { paint, print });
      // What does not count must not look as if it did, so that it is recorded first.
      if (answer !== undefined) print(verdictLines(answer, await settle(answer), paint));
      else {
        // If nobody pressed Enter, the cursor is still after the prompt.
        const newLine = conversation.isOver ? [""] : [];
        print([...newLine, paint("dim", signal.aborted ? "  (answered elsewhere)" : "  (left open)")]);
      }
    } finally {
      conversation.close();
    }
    return conversation.isInterrupted ? interrupt() : answer;
  };
}

/** A terminal that is gone can no longer be set; readline would throw where nobody can catch it. */
function tolerateLoss(input: NodeJS.ReadableStream): void {
  const terminal = input as ReadStream;
  const set = terminal.setRawMode?.bind(terminal);
  if (set === undefined) return;
  terminal.setRawMode = (mode) => {
    try {
      return set(mode);
    } catch {
      return terminal;
    }
  };
  terminal.on("error", () => undefined);
}

const CTRL_C = "\u0003";
const YES = ["y", "yes", "approve"];
const NO = ["n", "no", "reject"];
const LATER = "c";

/** As Ctrl-C would have done, had readline not taken it. Whoever handles it knows before the question is given up. */
async function interrupt(): Promise<undefined> {
  const isHandled = process.listenerCount("SIGINT") > 0;
  const seen = new Promise((resolve) => void (isHandled ? process.once("SIGINT", resolve) : resolve(undefined)));
  // A signal to oneself comes a moment later, and waiting for it alone keeps nothing alive.
  const alive = setInterval(() => undefined, 1000);
  process.kill(process.pid, "SIGINT");
  await seen;
  clearInterval(alive);
}

async function converse(
  conversation: Conversation,
  { options, confirm }: Question,
  { paint, print }: { paint: Paint; print: (lines: readonly string[]) => void },
): Promise<Answer> {
  for (;;) {
    const line = await conversation.ask(paint("bold", "  answer: "));
    if (line === undefined) return undefined;
    const said = line.trim();
    if (said.toLowerCase() === LATER) return undefined;
    const choice = understand(said, options);
    if (choice === undefined) {
      if (said !== "") print([paint("yellow", `  That is not one of the options.`), ...keyLines(options, paint)]);
      continue;
    }
    const reason =
      choice.approved || choice.option !== undefined
        ? ""
        : await conversation.ask(paint("bold", "  reason (optional): "));
    if (reason === undefined) return undefined;
    const feedback = saidText(reason);
    const answer = feedback === undefined ? choice : { ...choice, feedback };
    if (confirm === undefined) return answer;
    const name = await conversation.ask(paint("bold", `  type ${confirm} to confirm: `));
    if (name === undefined) return undefined;
    if (name.trim() === confirm) return { ...answer, confirmed: true };
    print([paint("yellow", "  That is not the name of the run; nothing was decided."), ...keyLines(options, paint)]);
  }
}

/** What an answer means. A choice whose own label is a no is one, however it was chosen. */
function understand(said: string, options: readonly string[]): Exclude<Answer, undefined> | undefined {
  const word = said.toLowerCase();
  const option = /^\d+$/.test(said)
    ? options[Number(said) - 1]
    : options.find((label) => label.trim().toLowerCase() === word);
  if (option !== undefined) return { approved: !NO.includes(option.trim().toLowerCase()), option };
  if (YES.includes(word)) return { approved: true };
  return NO.includes(word) ? { approved: false } : undefined;
}

function verdictLines(answer: Exclude<Answer, undefined>, settled: Settled, paint: Paint): string[] {
  if ("refused" in settled) return [paint("yellow", "  This answer does not count:"), ...quotedLines(settled.refused)];
  const word = settled.approved ? paint("green", "approved") : paint("red", "rejected");
  return [`  ${word}${answer.option === undefined ? "" : `: ${oneLine(answer.option)}`}`];
}

function questionLines({ title, question, options, context, risk }: Question, paint: Paint): string[] {
  const heading = oneLine(title ?? "");
  const asked = shownLines(question.trim());
  const isSame = heading === "" || asked.join("\n") === heading;
  return [
    "",
    `${paint("yellow", "?")} ${paint("bold", isSame ? (asked[0] ?? "") : heading)}`,
    ...(isSame ? asked.slice(1) : asked).map((line) => `  ${line}`),
    ...(risk === undefined ? [] : [`  ${paint(risk === "high" ? "red" : "dim", `risk: ${oneLine(risk)}`)}`]),
    ...contextLines(context, paint),
    "",
    ...options.map((label, index) => `  ${paint("bold", String(index + 1))}  ${oneLine(label)}`),
    ...keyLines(options, paint),
  ];
}

function keyLines(options: readonly string[], paint: Paint): string[] {
  const keys = ["y approve", "n reject", "c decide later"];
  if (options.length > 0) keys.unshift(options.length === 1 ? "1 choose" : `1-${options.length} choose`);
  return [`  ${paint("dim", keys.join("   "))}`];
}

const CONTEXT_SHOWN = 200;

function contextLines(context: Json, paint: Paint): string[] {
  if (context === null || (isJsonObject(context) && Object.keys(context).length === 0)) return [];
  const { files, ...rest } = isJsonObject(context) ? context : { files: null, context };
  const paths = (Array.isArray(files) ? files : []).map(pathOf);
  const facts = Object.entries(rest).map(([name, value]): [string, string] => [name, shortJson(value)]);
  const rows = [...paths.map((path): [string, string] => ["file", path]), ...facts];
  const width = Math.min(16, Math.max(0, ...rows.map(([name]) => oneLine(name).length)));
  return rows.map(([name, text]) => `  ${paint("dim", oneLine(name).padEnd(width))}  ${oneLine(text)}`);
}

function pathOf(file: Json): string {
  const path = isJsonObject(file) ? (file["path"] ?? file["file"]) : file;
  return typeof path === "string" ? path : shortJson(file);
}

function shortJson(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > CONTEXT_SHOWN ? `${text.slice(0, CONTEXT_SHOWN)} (cut)` : text;
}

/** Long enough for the contents of the terminal's own buffer to arrive. */
const TYPED_AHEAD_MS = 30;

/** Keys pressed before the question was on the screen are not an answer to it. */
async function dropTypedAhead(input: NodeJS.ReadableStream): Promise<string> {
  const terminal = input as Partial<ReadStream>;
  if (terminal.isTTY !== true) return "";
  let dropped = "";
  const take = (chunk: Buffer | string): void => void (dropped += String(chunk));
  terminal.setRawMode?.(true);
  input.on("data", take);
  await new Promise((done) => setTimeout(done, TYPED_AHEAD_MS));
  input.off("data", take);
  input.pause();
  terminal.setRawMode?.(false);
  return dropped;
}

/** Lines from the person; undefined as soon as there will be no more. */
export class Conversation {
  isInterrupted = false;
  isOver = false;
  readonly #readline: Interface;
  readonly #signal: AbortSignal;
  readonly #lines: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;

  constructor({
    input,
    output,
    signal,
  }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; signal: AbortSignal }) {
    this.#signal = signal;
    this.#readline = createInterface({ input, output, historySize: 0 });
    this.#readline.on("line", (line) => this.#deliver(line));
    this.#readline.on("close", () => this.#end());
    this.#readline.on("SIGINT", () => {
      this.isInterrupted = true;
      this.close();
    });
    signal.addEventListener("abort", this.#onAbort);
  }

  ask(prompt: string): Promise<string | undefined> {
    const early = this.#lines.shift();
    if (early !== undefined || this.isOver) return Promise.resolve(early);
    this.#readline.setPrompt(prompt);
    this.#readline.prompt();
    return new Promise((resolve) => void (this.#waiting = resolve));
  }

  close(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#readline.close();
  }

  readonly #onAbort = (): void => this.close();

  #deliver(line: string): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#lines.push(line);
    else waiting(line);
  }

  #end(): void {
    this.isOver = true;
    this.#waiting?.(undefined);
    this.#waiting = undefined;
  }
}
