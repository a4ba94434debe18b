/** Where session files are. Hooks and commands must find the same ones, whatever their working directory is. */
import os from "node:os";
import path from "node:path";

export interface SessionPlaces {
  /** New files go here. */
  write: string;
  /** Looked through in this order. */
  read: string[];
  /** What babysitter remembers for this person. */
  home: string;
}

export interface PlaceOptions {
  /** Named by the caller. */
  stateDir?: string;
  /** Named by the caller; the variable of the host does not count, for its folder is lost with every update. */
  pluginRoot?: string;
  projectRoot?: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What relative paths are relative to. */
  cwd: string;
}

export function sessionPlaces({ stateDir, pluginRoot, projectRoot, env, cwd }: PlaceOptions): SessionPlaces {
  const home = stateHome(env, cwd);
  if (stateDir) {
    const named = path.resolve(cwd, stateDir);
    return { write: named, read: [named], home };
  }
  const usual = path.join(home, "state");
  // A loop that a command has bound without naming the plugin must be found by its hooks too.
  const own = pluginRoot ? [...pluginPlaces(path.resolve(cwd, pluginRoot)), usual] : [usual];
  const ofProject = projectRoot ? [path.resolve(cwd, projectRoot, ".a5c", "state")] : [];
  return { write: own[0] as string, read: [...new Set([...own, ...ofProject])], home };
}

function stateHome(env: PlaceOptions["env"], cwd: string): string {
  const given = env["BABYSITTER_HOME"];
  return given ? path.resolve(cwd, given) : path.resolve(cwd, env["HOME"] || os.homedir(), ".a5c");
}

function pluginPlaces(root: string): string[] {
  return [path.join(root, "skills", "babysit", "state"), path.join(root, "state")];
}
