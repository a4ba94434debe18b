import { isAgentEnvironment } from "../../hosts/environments.js";
import { EXIT_CODES } from "../../model/error-codes.js";
import type { Invocation } from "../grammar/invocation.js";
import { isTerminal } from "../output/is-terminal.js";
import { Conversation } from "./ask-terminal.js";

/** Asks for a yes or no; a bare Enter means `preset`. */
export type Confirm = (lines: readonly string[], preset: boolean) => Promise<boolean>;

/** True when there is a terminal with a person at it. */
export function canAsk({ json, env }: Pick<Invocation, "json" | "env">): boolean {
  return !json && isTerminal(0) && isTerminal(1) && !isAgentEnvironment(env);
}

/** Asks the person at the terminal; undefined where there is none. Leaving ends the command as Ctrl-C does. */
export function confirmHere(invocation: Invocation): Confirm | undefined {
  if (!canAsk(invocation)) return undefined;
  const { paint } = invocation;
  return async (lines, preset) => {
    const [question = "", ...before] = lines.toReversed();
    for (const text of before.toReversed()) process.stdout.write(`${text}\n`);
    const { signal } = new AbortController();
    const conversation = new Conversation({ input: process.stdin, output: process.stdout, signal });
    const prompt = `${paint("yellow", "?")} ${paint("bold", question)} ${preset ? "[Y/n]" : "[y/N]"} `;
    for (;;) {
      const word = (await conversation.ask(prompt))?.trim().toLowerCase();
      if (word !== undefined && !["", "y", "yes", "n", "no"].includes(word)) continue;
      conversation.close();
      if (word !== undefined) return word === "" ? preset : word.startsWith("y");
      process.stdout.write("\n");
      process.exit(EXIT_CODES.interrupted.exit);
    }
  };
}
