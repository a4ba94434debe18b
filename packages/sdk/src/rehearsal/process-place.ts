/** Finds the line of a process in a stack of calls. */
import { fileURLToPath } from "node:url";

const FRAMES = 50;
const MODULE_LOADER = "node:internal/modules/";

/** A frame as `file:line:column`, or undefined for code without a file, or of Node's own. */
function frameFile(frame: string): { file: string; at: string } | undefined {
  const found = /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^()]*?)(?:\?[^:()]*)?:(\d+):(\d+)\)?$/u.exec(frame);
  if (found === null) return undefined;
  const [, path = "", line, column] = found;
  const file = path.startsWith("file:") ? fileURLToPath(path) : path;
  return { file, at: `${file}:${line}:${column}` };
}

function framesOf(stack: string | undefined): { file: string; at: string }[] {
  return (stack ?? "").split("\n").flatMap((frame) => frameFile(frame.trim()) ?? []);
}

/** The first line of the process in the stack of an error. */
export function placeOfError(error: unknown, files: ReadonlySet<string>): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return framesOf(error.stack).find(({ file }) => files.has(file))?.at;
}

/** The same place, as a reader in the project would name it. */
export function inProject(location: string | undefined, projectRoot: string): string | undefined {
  return location?.startsWith(`${projectRoot}/`) ? location.slice(projectRoot.length + 1) : location;
}

/** The folder that this program is in, whose calls are never those of a process. */
export function ownFolder(): string {
  const [here] = framesOf(new Error("here").stack);
  return here === undefined ? "" : here.file.slice(0, here.file.lastIndexOf("/") + 1);
}

/**
 * Where in the process `below` has been called just now, directly or through a package; undefined if somebody else
 * has called it.
 */
export function placeBelow(
  below: (...args: never[]) => unknown,
  files: ReadonlySet<string>,
  own: string,
): { location: string | undefined } | undefined {
  const { stackTraceLimit } = Error;
  const holder: { stack?: string } = {};
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(holder, below);
  Error.stackTraceLimit = stackTraceLimit;
  const frames = framesOf(holder.stack);
  const [caller] = frames;
  // Modules are code: what is read to load them is part of it.
  if (caller === undefined || holder.stack?.slice(0, holder.stack.indexOf(caller.file)).includes(MODULE_LOADER))
    return undefined;
  if (caller.file.startsWith(own)) return undefined;
  return { location: frames.find(({ file }) => files.has(file))?.at };
}
