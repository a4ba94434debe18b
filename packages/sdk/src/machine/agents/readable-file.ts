/** Files that a command may read in the agent's name: what it reads ends up in the journal, where the agent can read it. */
import fs from "node:fs";
import path from "node:path";
import { isSecretPath } from "../../model/context-files.js";

/**
 * The file without any links, looked for where commands look, which is the current folder and then the run's;
 * undefined when it is outside the roots, is not a regular file, or has the name of a secret.
 */
export function readableFile(
  name: string,
  { cwd, runDir }: { cwd: string; runDir: string },
  roots: readonly string[],
): string | undefined {
  const here = path.resolve(cwd, name);
  const file = [here, path.resolve(runDir, name)].find((candidate) => fs.existsSync(candidate)) ?? here;
  const real = realPathOf(file);
  if (real === undefined) return undefined;
  const isFile = fs.statSync(real, { throwIfNoEntry: false })?.isFile() ?? true;
  return isFile && roots.some((root) => root !== "" && isOpenBelow(realPathOf(root) ?? root, real)) ? real : undefined;
}

/** Of a file that is not there, as far as its folders are; the command says best that it is missing. */
function realPathOf(file: string): string | undefined {
  try {
    return fs.realpathSync.native(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(file);
    // A link that leads nowhere could lead anywhere by the time it is read.
    if (code !== "ENOENT" || parent === file || isLink(file)) return undefined;
    const realParent = realPathOf(parent);
    return realParent === undefined ? undefined : path.join(realParent, path.basename(file));
  }
}

function isLink(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function isOpenBelow(root: string, file: string): boolean {
  const way = path.relative(root, file);
  const isBelow = way !== "" && way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
  return isBelow && !isSecretPath(way);
}
