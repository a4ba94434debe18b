/** Our plugin as Claude Code has it on this machine, and the commands of its own that remove it. */
import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../model/json.js";
import type { Environment, HostInstallation } from "../host.js";
import { installedNames, PLUGIN, pluginsFolder, readObject } from "./installed-names.js";

export function installedPlugin(env: Environment): HostInstallation | undefined {
  const folder = pluginsFolder(env);
  const installed = installedNames(folder);
  const markets = Object.entries(readObject(path.join(folder, "known_marketplaces.json"))).filter(([, market]) =>
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
  const { plugins } = readObject(path.join(market["installLocation"], ".claude-plugin", "marketplace.json"));
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
  return readObject(path.join(root, ".claude-plugin", "plugin.json"))["name"] === PLUGIN;
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}
