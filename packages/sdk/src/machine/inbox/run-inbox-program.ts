/** Runs the program of the inbox in the place of a command: on its terminal, and with its exit code. */
import { spawn } from "node:child_process";
import os from "node:os";
import { BabysitterError } from "../../model/errors.js";
import type { Environment } from "../caller.js";
import { findInboxProgram, isUsable, notInstalled } from "./inbox-program.js";
import { readInboxSettings } from "./inbox-settings.js";

/** What a shell says of a program that a signal has ended. */
const SIGNALLED = 128;

/** `given`: what only the program is to know; other users can read its arguments, but not its environment. */
export async function runInboxProgram(
  env: Environment,
  words: readonly string[],
  given: Readonly<Record<string, string>> = {},
): Promise<number> {
  const found = findInboxProgram(readInboxSettings(env).program, process.argv[1] as string);
  if (!isUsable(found)) throw notInstalled(found);
  const child = spawn(process.execPath, [found.path, ...words], { stdio: "inherit", env: { ...env, ...given } });
  // Ctrl-C reaches the program as well, and it knows what to do. Whoever ends this command ends both.
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on("SIGINT", goOn);
  process.on("SIGTERM", passOn);
  try {
    return await new Promise((resolve, reject) => {
      child.on("error", (error) => reject(notStarted(found.path, error)));
      child.on("exit", (code, signal) => resolve(code ?? SIGNALLED + os.constants.signals[signal ?? "SIGTERM"]));
    });
  } finally {
    process.off("SIGINT", goOn);
    process.off("SIGTERM", passOn);
  }
}

function goOn(): void {
  // Until the program ends.
}

function notStarted(program: string, cause: Error): BabysitterError {
  return new BabysitterError("SYSTEM_REFUSED", `The inbox's program did not start: ${cause.message}.`, {
    hint: "Fix the cause, then run the command again.",
    details: { program },
    cause,
  });
}
