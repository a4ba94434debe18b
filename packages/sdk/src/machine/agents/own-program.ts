/** The command line that this hook is part of. */
import path from "node:path";
import { isProgram } from "../file-places.js";

/** The words that call this very program, wherever they are used. */
export function ownProgram(): string[] {
  const cli = path.resolve(process.argv[1] as string);
  return isProgram(cli) ? [cli] : [process.execPath, cli];
}
