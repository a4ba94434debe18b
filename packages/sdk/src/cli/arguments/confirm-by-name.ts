import fs from "node:fs";
import { createInterface } from "node:readline";
import { ReadStream, WriteStream } from "node:tty";
import { BabysitterError } from "../../model/errors.js";

/** Has the name of a run typed, on the terminal itself: what the command reads or prints may go elsewhere. */
export async function confirmByName(runId: string, lines: readonly string[]): Promise<void> {
  const [input, output] = [new ReadStream(openTerminal()), new WriteStream(openTerminal())];
  const conversation = createInterface({ input, output, historySize: 0 });
  const typed = await new Promise<string | undefined>((resolve) => {
    conversation.on("line", resolve);
    conversation.on("close", () => resolve(undefined));
    conversation.on("SIGINT", () => conversation.close());
    output.write(lines.map((line) => `${line}\n`).join(""));
    conversation.setPrompt(`Type ${runId} to confirm: `);
    conversation.prompt();
  });
  conversation.close();
  input.destroy();
  if (typed?.trim() === runId) return;
  throw new BabysitterError("DECISION_NOT_ALLOWED", "The name of the run was not typed, so nothing was decided.", {
    hint: `Run the command again and type ${runId} when it asks.`,
    details: { runId, why: "high-risk" },
  });
}

function openTerminal(): number {
  return fs.openSync("/dev/tty", fs.constants.O_RDWR | fs.constants.O_NOCTTY);
}
