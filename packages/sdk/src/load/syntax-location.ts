/**
 * Finds the place of a syntax error in an ES module. Node keeps it out of the error that `import()`
 * rejects with and shows it only when an error ends the OS process. So the modules are parsed, not
 * run, by a process that may end that way. This costs some 50 ms, only when loading has failed.
 */
import { spawnSync } from "node:child_process";

/** A source under the name that is to be reported. */
export interface NamedSource {
  file: string;
  source: string;
}

const PARSE_ALL = `
const { SourceTextModule } = require("node:vm");
for (const { file, source } of JSON.parse(require("node:fs").readFileSync(0, "utf8"))) {
  new SourceTextModule(source, { identifier: file });
}`;

/** `file:line` of the first syntax error, undefined when there is none to be found. */
export function locateSyntaxError(sources: readonly NamedSource[]): string | undefined {
  const line = firstComplaint(sources);
  return sources.some(({ file }) => line.startsWith(`${file}:`)) ? line : undefined;
}

function firstComplaint(sources: readonly NamedSource[]): string {
  try {
    const { stderr } = spawnSync(process.execPath, ["--experimental-vm-modules", "--no-warnings", "-e", PARSE_ALL], {
      input: JSON.stringify(sources),
      encoding: "utf8",
      timeout: 10_000,
      // Options for the main process, a debugger for example, are not meant for this one.
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    return stderr?.split("\n", 1)[0] ?? "";
  } catch (error) {
    // This program may start no other: what is wrong is told without its place.
    if ((error as NodeJS.ErrnoException).code === "ERR_ACCESS_DENIED") return "";
    throw error;
  }
}
