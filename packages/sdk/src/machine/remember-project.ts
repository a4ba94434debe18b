/** Notes the projects in which this person has runs, for lists over all of them. */
import path from "node:path";
import { rememberProject } from "../sessions/project-registry.js";
import { sessionPlaces } from "../sessions/session-places.js";
import type { Caller } from "./caller.js";
import type { Places } from "./file-places.js";

/** Whoever begins or drives a run need not be able to write their home: the list is a convenience. */
export function rememberPlaces(
  { env, cwd }: Pick<Caller, "cwd" | "env">,
  { projectRoot, runsDir }: Pick<Places, "projectRoot" | "runsDir">,
): void {
  try {
    rememberProject(sessionPlaces({ env, cwd }).home, { projectRoot, runsDir, at: new Date().toISOString() });
  } catch {
    // The next command tries again.
  }
}

/** The same for the project that a run belongs to, which need not be the one around the current folder. */
export function rememberRun(
  caller: Pick<Caller, "cwd" | "env">,
  { runDir, place }: { runDir: string; place: { projectRoot: string } },
): void {
  rememberPlaces(caller, { projectRoot: place.projectRoot, runsDir: path.dirname(runDir) });
}
