/** What went wrong in hooks: hosts show nothing of it, so it is written down where people can find it. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { isJsonObject } from "../model/json.js";

export interface HookProblem {
  at: string;
  hookType: string;
  sessionId?: string;
  code: string;
  message: string;
  /** The user was told about it. */
  told?: true;
}

/** Above this size a new log is started; the previous one is kept. */
const MAX_BYTES = 1024 * 1024;

export function hookLogFile(home: string): string {
  return path.join(home, "log", "hooks.jsonl");
}

/** Never fails: a log that cannot be written is no reason to hold a host. Answers whether it was written. */
export function logHookProblem(home: string, problem: HookProblem): boolean {
  const file = hookLogFile(home);
  try {
    makeFolders(path.dirname(file), 0o700);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    // A pipe that nobody reads would be waited for.
    if (stat !== undefined && !stat.isFile()) return false;
    if ((stat?.size ?? 0) > MAX_BYTES) fs.renameSync(file, `${file}.1`);
    fs.appendFileSync(file, `${JSON.stringify(problem)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** Problems after a moment, the newest last. */
export function hookProblemsSince(home: string, since: string): HookProblem[] {
  return linesOf(hookLogFile(home))
    .flatMap(problemIn)
    .filter(({ at }) => at > since);
}

function linesOf(file: string): string[] {
  try {
    return fs.statSync(file).isFile() ? fs.readFileSync(file, "utf8").split("\n") : [];
  } catch {
    return [];
  }
}

/** A line that is torn, as when the disk was full, hides none of the others. */
function problemIn(line: string): HookProblem[] {
  try {
    const problem: unknown = JSON.parse(line);
    return isJsonObject(problem) && typeof problem["at"] === "string" ? [problem as unknown as HookProblem] : [];
  } catch {
    return [];
  }
}
