/** The folders in which hook scripts are looked for. */
import fs from "node:fs";
import path from "node:path";
import { BabysitterError } from "../model/errors.js";
import { HOOK_TYPE_RULE, type HookTier, isHookType } from "../model/hook-types.js";

/** Where this machine, this person and this project keep their hooks. */
export interface HookPlaces {
  projectRoot: string;
  /** The person's home folder. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A plugin that was named explicitly. */
  pluginRoot?: string;
  /** The plugin that an agent's host has called us from. */
  hostPluginRoot?: string;
  /** The scripts that come with the SDK, to recognise them in a plugin: a folder with one folder per type. */
  shippedDir?: string;
  /** The SDK's own scripts run like any other. Else they are only listed, for the engine has functions in their place. */
  runShipped?: boolean;
}

/** The hooks of all types of one tier: `<dir>/<type>/`. */
export interface HookFolder {
  tier: HookTier;
  dir: string;
}

/** Checks the name of a hook type before it can touch a path. */
export function parseHookType(text: string): string {
  if (isHookType(text)) return text;
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  throw new BabysitterError("USAGE", `${shown} is not a valid hook type.`, { hint: HOOK_TYPE_RULE });
}

/** Folders whose hooks all run, in this order. */
export function ownFolders({ projectRoot, home, env }: HookPlaces): HookFolder[] {
  const xdg = env["XDG_CONFIG_HOME"];
  // The XDG rules say that a relative path is to be ignored.
  const config = xdg !== undefined && path.isAbsolute(xdg) ? xdg : path.join(home, ".config");
  return [
    { tier: "project", dir: path.join(projectRoot, ".a5c", "hooks") },
    { tier: "user", dir: path.join(config, "babysitter", "hooks") },
  ];
}

/** Folders of plugins, the first of them first: hooks of at most one of them run. */
export function lastFolders({ projectRoot, pluginRoot, hostPluginRoot }: HookPlaces): HookFolder[] {
  const roots = [pluginRoot, hostPluginRoot, path.join(projectRoot, "plugins", "babysitter")];
  const plugins = roots.filter((root) => root !== undefined && root !== "").map((root) => path.resolve(root as string));
  return [...new Set(plugins)].map((root) => ({ tier: "plugin", dir: path.join(root, "hooks") }));
}

/** Names of the types for which some folder has a subfolder. */
export function listHookTypes(places: HookPlaces): string[] {
  const names = [...ownFolders(places), ...lastFolders(places)].flatMap(({ dir }) => namesIn(dir));
  return [...new Set(names.filter(isHookType))].toSorted();
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir).filter((name) => isDirectory(path.join(dir, name)));
  } catch {
    return [];
  }
}

function isDirectory(file: string): boolean {
  try {
    return fs.statSync(file).isDirectory();
  } catch {
    return false;
  }
}
