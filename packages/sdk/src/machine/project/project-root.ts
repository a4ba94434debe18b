/** Why a folder was taken as the project's root, in words. */
import fs from "node:fs";
import path from "node:path";
import { projectVariableIn } from "../../hosts/environments.js";
import type { Environment } from "../caller.js";
import type { Places } from "../file-places.js";

export interface ExplainedPlaces extends Places {
  /** Completes the sentence "it was chosen because of …". */
  why: string;
  /** What chose the folder of the runs. */
  runsWhy: string;
}

/** `runsDir`: what was given with --runs-dir. */
export function explainPlaces(places: Places, env: Environment, runsDir: string | undefined): ExplainedPlaces {
  const chooser = runsDir ? "--runs-dir" : env["RUNS_DIR"] ? "RUNS_DIR" : undefined;
  const holdsRuns = path.join(places.projectRoot, ".a5c", "runs") === places.runsDir;
  const why = chooser !== undefined && holdsRuns ? `${chooser} is inside it` : whyRoot(places.projectRoot, env);
  return { ...places, why, runsWhy: chooser ?? "inside the project" };
}

/** The first of the rules, in the order in which they are tried, that leads to this folder. */
function whyRoot(root: string, env: Environment): string {
  const variable = env["REPO_ROOT"] ? "REPO_ROOT" : projectVariableIn(env);
  if (variable !== undefined) return variable;
  if (isFolder(path.join(root, ".a5c"))) return "it has an .a5c folder";
  return fs.existsSync(path.join(root, ".git")) ? "it is a git repository" : "it is the current folder";
}

export function isFolder(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
