/** Says in words why a child could not be started. */
import { existsSync, statSync } from "node:fs";
import type { SpawnProblem, SpawnRequest } from "./spawn-request.js";

export function describeStartFailure(error: unknown, request: SpawnRequest): SpawnProblem {
  const { code = "UNKNOWN", message } = error as NodeJS.ErrnoException;
  // The kernel says ENOENT for a missing folder too, and Node puts the blame on the command.
  return { code, message: cwdProblem(request.cwd) ?? commandProblem(code, programOf(request), request) ?? message };
}

function programOf({ argv }: SpawnRequest): string {
  return Array.isArray(argv) ? argv[0] : "/bin/sh";
}

function cwdProblem(cwd: string): string | undefined {
  const stat = statSync(cwd, { throwIfNoEntry: false });
  if (stat === undefined) return `The working directory ${cwd} does not exist.`;
  return stat.isDirectory() ? undefined : `The working directory ${cwd} is not a directory.`;
}

function commandProblem(code: string, program: string, { env, cwd }: SpawnRequest): string | undefined {
  switch (code) {
    case "ENOENT":
      if (!program.includes("/"))
        return `The command ${program} was not found${env["PATH"] === undefined ? ": PATH is not set" : " in PATH"}.`;
      return existsSync(program)
        ? `The command ${program} cannot be run: the interpreter named in its first line does not exist.`
        : `The command ${program} does not exist.`;
    case "EACCES":
      return `The command ${program} is not executable, or ${cwd} is not accessible.`;
    case "E2BIG":
      return `The command ${program} cannot be run: its arguments and environment together are too large.`;
    default:
      return undefined;
  }
}
