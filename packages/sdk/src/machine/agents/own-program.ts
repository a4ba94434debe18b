/** The command line that this hook is part of, and what else goes by its name. */

import path from "node:path";
import { PROGRAM_NAME } from "../../hosts/answer/host-machine.js";
import { pluginRootIn } from "../../hosts/environments.js";
import { isProgram, realPath } from "../file-places.js";

/** The words that call this very program, wherever they are used. */
export function ownProgram(): string[] {
  const cli = path.resolve(process.argv[1] as string);
  return isProgram(cli) ? [cli] : [process.execPath, cli];
}

/** True when the name leads to another program: what a host adds for its plugins comes last on the agent's PATH. */
export function isAnotherFirst(env: Readonly<Record<string, string | undefined>>): boolean {
  const programs = path.dirname(path.resolve(process.argv[1] as string));
  // The last one is what npm links to.
  const own = [pluginRootIn(env), programs, path.resolve(programs, "../../bin")]
    .filter((dir) => dir !== undefined && dir !== "")
    .map((dir) => realPath(dir as string));
  return (env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((dir) => path.isAbsolute(dir))
    .map((dir) => path.join(dir, PROGRAM_NAME))
    .filter(isProgram)
    .map(realPath)
    .some((file) => !own.some((dir) => file.startsWith(dir + path.sep)));
}
