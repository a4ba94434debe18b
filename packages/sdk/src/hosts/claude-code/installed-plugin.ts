/** Our plugin as Claude Code has it on this machine, and the commands of its own that remove it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { textIfRegular } from "../../files/read-regular-file.js";
import { isJsonObject, type JsonObject, parseJson } from "../../model/json.js";
import type { Environment, HostInstallation } from "../host.js";
import { configFolder } from "./config-folder.js";

const MAX_BYTES = 4 * 1024 * 1024;
const PLUGIN = "babysitter";

export function installedPlugin(env: Environment): HostInstallation | undefined {
  const folder = path.join(configFolder(env, env["HOME"] || os.homedir()), "plugins");
  const { plugins } = read(path.join(folder, "installed_plugins.json"));
  const installed = Object.keys(isJsonObject(plugins) ? plugins : {}).filter((name) => name.startsWith(`${PLUGIN}@`));
  const markets = Object.entries(read(path.join(folder, "known_marketplaces.json"))).filter(([, market]) =>
    isOnlyOurs(market),
  );
  const copies = copiesIn(path.join(folder, "cache"));
  if (installed.length + markets.length + copies.length === 0) return undefined;
  return {
    title: "Claude Code",
    what: [...installed, ...markets.map(([name]) => `marketplace ${name}`)],
    folders: copies,
    program: "claude",
    commands: [
      ...installed.map((name) => ["plugin", "uninstall", name]),
      ...markets.map(([name]) => ["plugin", "marketplace", "remove", name]),
    ],
  };
}

/** A marketplace with plugins of others stays. */
function isOnlyOurs(market: unknown): boolean {
  if (!isJsonObject(market) || typeof market["installLocation"] !== "string") return false;
  const { plugins } = read(path.join(market["installLocation"], ".claude-plugin", "marketplace.json"));
  return (
    Array.isArray(plugins) &&
    plugins.length > 0 &&
    plugins.every((plugin) => isJsonObject(plugin) && plugin["name"] === PLUGIN)
  );
}

/** The host keeps what it has installed for some time after its removal. */
function copiesIn(cache: string): string[] {
  return namesIn(cache)
    .map((market) => path.join(cache, market, PLUGIN))
    .filter((folder) => namesIn(folder).some((version) => isOurs(path.join(folder, version))));
}

function isOurs(root: string): boolean {
  return read(path.join(root, ".claude-plugin", "plugin.json"))["name"] === PLUGIN;
}

function read(file: string): JsonObject {
  try {
    const value = parseJson(textIfRegular(file, MAX_BYTES) ?? "null");
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}
