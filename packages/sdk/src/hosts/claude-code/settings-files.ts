/** The host's settings, from its files and its command line, as far as they can switch us off. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { Environment, HostCommand } from "../host.js";
import { configFolder } from "./config-folder.js";
import { CAP_VARIABLE } from "./limits.js";
import type { SettingsFacts } from "./setup-findings.js";

const MAX_BYTES = 1024 * 1024;

/** Those that count, in the order in which one overrides the other. Project files are where the host runs, if known. */
export function readSettings(env: Environment, projectRoot: string, command?: HostCommand): SettingsFacts[] {
  const { argv = [], cwd = projectRoot } = command ?? {};
  const own = configFolder(env, env["HOME"] || os.homedir());
  const ofProject = path.join(cwd, ".claude");
  const named = optionOf(argv, "--setting-sources")?.split(",");
  const files = [
    ["user", path.join(own, "settings.json")],
    ["project", path.join(ofProject, "settings.json")],
    ["local", path.join(ofProject, "settings.local.json")],
  ] as const;
  const read = files.filter(([source]) => named === undefined || named.includes(source)).map(([, file]) => file);
  const all = [...[...new Set(read)].map(readSettingsFile), givenSettings(argv, cwd), ...MANAGED.map(readSettingsFile)];
  return all.filter((facts) => facts !== undefined);
}

const MANAGED = [
  "/etc/claude-code/managed-settings.json",
  "/Library/Application Support/ClaudeCode/managed-settings.json",
];

/** JSON, or the name of a file. */
function givenSettings(argv: readonly string[], cwd: string): SettingsFacts | undefined {
  const given = optionOf(argv, "--settings");
  if (given === undefined) return undefined;
  if (!given.trim().startsWith("{")) return readSettingsFile(path.resolve(cwd, given));
  return { path: "--settings on the host's command line", inline: true, ...factsInText(given) };
}

/** The last value of an option, as the host takes it; whatever follows `--` is none. */
function optionOf(argv: readonly string[], name: string): string | undefined {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  return words
    .flatMap((word, index) => {
      if (word === name) return words[index + 1] ?? [];
      return word.startsWith(`${name}=`) ? word.slice(name.length + 1) : [];
    })
    .at(-1);
}

function readSettingsFile(file: string): SettingsFacts | undefined {
  const facts = { path: file, managedHooksOnly: false };
  let text: string;
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return { ...facts, problem: "it is not a settings file" };
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : { ...facts, problem: (error as Error).message };
  }
  return { path: file, ...factsInText(text) };
}

function factsInText(text: string): Omit<SettingsFacts, "path"> {
  try {
    const settings: unknown = JSON.parse(text);
    return isJsonObject(settings) ? factsIn(settings) : { managedHooksOnly: false, problem: "it is not a JSON object" };
  } catch (error) {
    return { managedHooksOnly: false, problem: `it is not valid JSON: ${(error as Error).message}` };
  }
}

function factsIn(settings: JsonObject): Omit<SettingsFacts, "path"> {
  const { disableAllHooks, allowManagedHooksOnly, enabledPlugins, env } = settings;
  const plugins = isJsonObject(enabledPlugins) ? enabledPlugins : {};
  const switchedOff = Object.keys(plugins).find((name) => name.startsWith("babysitter@") && plugins[name] === false);
  const variables = isJsonObject(env) ? env : {};
  const cap = variables[CAP_VARIABLE];
  return {
    ...(typeof disableAllHooks === "boolean" ? { disableAllHooks } : {}),
    managedHooksOnly: allowManagedHooksOnly === true,
    ...(switchedOff === undefined ? {} : { switchedOff }),
    variables,
    ...(typeof cap === "string" || typeof cap === "number" ? { blockCap: String(cap) } : {}),
  };
}
