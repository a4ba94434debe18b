/** Where runs and projects are on this machine. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { projectDirIn } from "../hosts/environments.js";
import { archiveDirOf } from "../journal/files/layout.js";

export interface PlaceOptions {
  runsDir?: string | undefined;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

export interface Places {
  runsDir: string;
  /** Where archived runs are. */
  archiveDir: string;
  projectRoot: string;
}

/**
 * Runs root: --runs-dir, RUNS_DIR, REPO_ROOT, the host's project, the nearest folder above with `.a5c`,
 * the git project, the current folder.
 */
export function findPlaces({ runsDir, cwd, env }: PlaceOptions): Places {
  const projectRoot = findProjectRoot(cwd, env);
  const explicit = runsDir || env["RUNS_DIR"];
  const dir = explicit ? path.resolve(cwd, explicit) : path.join(projectRoot, ".a5c", "runs");
  return {
    runsDir: dir,
    archiveDir: archiveDirOf(dir),
    projectRoot: explicit ? (projectOf(dir) ?? projectRoot) : projectRoot,
  };
}

/** The project that a conventional runs directory belongs to. */
function projectOf(runsDir: string): string | undefined {
  return path.basename(runsDir) === "runs" && path.basename(path.dirname(runsDir)) === ".a5c"
    ? path.dirname(path.dirname(runsDir))
    : undefined;
}

function findProjectRoot(cwd: string, env: PlaceOptions["env"]): string {
  const named = env["REPO_ROOT"] || projectDirIn(env);
  if (named) return path.resolve(cwd, named);
  // The user's own ~/.a5c holds settings and sessions; it does not make the home folder a project.
  const home = realPath(path.resolve(env["HOME"] || os.homedir()));
  const marked = above(cwd, (dir) => isDirectory(path.join(dir, ".a5c")) && (realPath(dir) !== home || dir === cwd));
  return marked ?? gitRoot(cwd) ?? cwd;
}

function gitRoot(cwd: string): string | undefined {
  const dir = above(cwd, (candidate) => fs.existsSync(path.join(candidate, ".git")));
  if (dir === undefined || isDirectory(path.join(dir, ".git"))) return dir;
  return mainWorktree(dir) ?? dir;
}

/** In a linked worktree `.git` is a file that leads to the main one; runs are kept together there. */
function mainWorktree(dir: string): string | undefined {
  try {
    const gitDir = /^gitdir: (.+)$/m.exec(fs.readFileSync(path.join(dir, ".git"), "utf8"))?.[1];
    if (gitDir === undefined) return undefined;
    const absolute = path.resolve(dir, gitDir);
    const common = path.resolve(absolute, fs.readFileSync(path.join(absolute, "commondir"), "utf8").trim());
    return path.basename(common) === ".git" ? path.dirname(common) : undefined;
  } catch {
    return undefined;
  }
}

function above(start: string, matches: (dir: string) => boolean): string | undefined {
  for (let dir = path.resolve(start); ; dir = path.dirname(dir)) {
    if (matches(dir)) return dir;
    if (dir === path.dirname(dir)) return undefined;
  }
}

/** A path without symbolic links, as far as it exists. */
export function realPath(dir: string): string {
  try {
    return fs.realpathSync.native(dir);
  } catch {
    return dir;
  }
}

function isDirectory(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** True for a file that can be run. */
export function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
