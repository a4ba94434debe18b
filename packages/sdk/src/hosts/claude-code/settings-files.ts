/** The host's settings files, as far as they can switch us off. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { Environment } from "../host.js";
import { configFolder } from "./config-folder.js";
import { CAP_VARIABLE } from "./limits.js";
import type { SettingsFacts } from "./setup-findings.js";

const MAX_BYTES = 1024 * 1024;

export function readSettings(env: Environment, projectRoot: string): SettingsFacts[] {
  return settingsFiles(env, projectRoot).flatMap((file) => {
    const found = readSettingsFile(file);
    return found === undefined ? [] : [found];
  });
}

function settingsFiles(env: Environment, projectRoot: string): string[] {
  const own = configFolder(env, env["HOME"] || os.homedir());
  const ofProject = path.join(projectRoot, ".claude");
  const files = [
    path.join(own, "settings.json"),
    path.join(ofProject, "settings.json"),
    path.join(ofProject, "settings.local.json"),
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
  ];
  return [...new Set(files)];
}

function readSettingsFile(file: string): SettingsFacts | undefined {
  const facts = { path: file, disableAllHooks: false, managedHooksOnly: false };
  let text: string;
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return { ...facts, problem: "it is not a settings file" };
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : { ...facts, problem: (error as Error).message };
  }
  try {
    const settings: unknown = JSON.parse(text);
    return isJsonObject(settings)
      ? { ...facts, ...factsIn(settings) }
      : { ...facts, problem: "it is not a JSON object" };
  } catch (error) {
    return { ...facts, problem: `it is not valid JSON: ${(error as Error).message}` };
  }
}

function factsIn(settings: JsonObject): Omit<SettingsFacts, "path"> {
  const { disableAllHooks, allowManagedHooksOnly, enabledPlugins, env } = settings;
  const plugins = isJsonObject(enabledPlugins) ? enabledPlugins : {};
  const switchedOff = Object.keys(plugins).find((name) => name.startsWith("babysitter@") && plugins[name] === false);
  const cap = isJsonObject(env) ? env[CAP_VARIABLE] : undefined;
  return {
    disableAllHooks: disableAllHooks === true,
    managedHooksOnly: allowManagedHooksOnly === true,
    ...(switchedOff === undefined ? {} : { switchedOff }),
    ...(typeof cap === "string" || typeof cap === "number" ? { blockCap: String(cap) } : {}),
  };
}
