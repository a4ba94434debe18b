/** What Claude Code has noted about the plugins that it has installed. */
import os from "node:os";
import path from "node:path";
import { textIfRegular } from "../../files/read-regular-file.js";
import { isJsonObject, type JsonObject, parseJson } from "../../model/json.js";
import type { Environment } from "../host.js";
import { configFolder } from "./config-folder.js";

const MAX_BYTES = 4 * 1024 * 1024;
export const PLUGIN = "babysitter";

export function pluginsFolder(env: Environment): string {
  return path.join(configFolder(env, env["HOME"] || os.homedir()), "plugins");
}

/** Our plugin, once for each marketplace that it was installed from; one that `--plugin-dir` named is not among them. */
export function installedNames(folder: string): string[] {
  const { plugins } = readObject(path.join(folder, "installed_plugins.json"));
  return Object.keys(isJsonObject(plugins) ? plugins : {}).filter((name) => name.startsWith(`${PLUGIN}@`));
}

/** The folders from which the host takes our plugin. */
export function installedRoots(folder: string): string[] {
  const { plugins } = readObject(path.join(folder, "installed_plugins.json"));
  return installedNames(folder).flatMap((name) => [
    ...rootInPlace(folder, name.slice(PLUGIN.length + 1)),
    ...[(plugins as JsonObject)[name] ?? []]
      .flat()
      .flatMap((install) =>
        isJsonObject(install) && typeof install["installPath"] === "string" ? [install["installPath"]] : [],
      ),
  ]);
}

/** A plugin of a marketplace that is a folder is loaded from there, not from the copy that the host has made. */
function rootInPlace(folder: string, market: string): string[] {
  const known = readObject(path.join(folder, "known_marketplaces.json"))[market];
  const { source, installLocation } = isJsonObject(known) ? known : {};
  if (!isJsonObject(source) || source["source"] !== "directory" || typeof installLocation !== "string") return [];
  const { plugins } = readObject(path.join(installLocation, ".claude-plugin", "marketplace.json"));
  const ours = (Array.isArray(plugins) ? plugins : []).filter(isJsonObject).find(({ name }) => name === PLUGIN);
  return typeof ours?.["source"] === "string" ? [path.join(installLocation, ours["source"])] : [];
}

export function readObject(file: string): JsonObject {
  try {
    const value = parseJson(textIfRegular(file, MAX_BYTES) ?? "null");
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
