import path from "node:path";
import { shellQuoted } from "../model/shell-quoted.js";
import type { Environment } from "./caller.js";
import { findPlaces } from "./file-places.js";

/** How to name a run in a command that the user can copy. */
export function runName(
  { cwd, env }: { cwd: string; env: Environment },
  { runDir, runId }: { runDir: string; runId: string },
): string {
  const usual = findPlaces({ cwd, env }).runsDir;
  return path.dirname(runDir) === usual ? runId : shellQuoted(path.relative(cwd, runDir) || ".");
}
