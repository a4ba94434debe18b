/** The task of a loop, byte for byte: from words, an option, a file or stdin. */
import { BabysitterError } from "../../model/errors.js";
import type { Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { readInput } from "./input-files.js";

/** More than any agent reads. */
const MAX_BYTES = 4 * 1024 * 1024;

export async function readGoal(invocation: Invocation): Promise<string> {
  const { options, positionals } = invocation;
  const file = options.text("prompt-file");
  const given = [positionals.length > 0, options.text("prompt") !== undefined, file !== undefined];
  if (given.filter(Boolean).length > 1)
    throw usageError(invocation, "Give the task once: as words, with --prompt, or with --prompt-file.");
  const goal =
    file === undefined ? (options.text("prompt") ?? positionals.join(" ")) : await fromFile(invocation, file);
  if (goal.trim() === "") throw usageError(invocation, "The task is missing: give words, --prompt, or --prompt-file.");
  if (Buffer.byteLength(goal) > MAX_BYTES)
    throw usageError(
      invocation,
      `The task has more than ${MAX_BYTES} bytes; put it in a file in the project and name that file.`,
    );
  return goal;
}

async function fromFile({ cwd, env }: Invocation, file: string): Promise<string> {
  const bytes = await readInput(file, { flag: "prompt-file", cwd, env });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new BabysitterError("INPUT_NOT_FOUND", `--prompt-file ${file} is not UTF-8 text.`, {
      hint: "Save it as UTF-8: what the agent gets must be what you wrote.",
      cause,
    });
  }
}
