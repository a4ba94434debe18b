/** Looks at Claude Code on this machine: its program, our plugin in it, its settings. */
import fs from "node:fs";
import path from "node:path";
import { defined, isJsonObject } from "../../model/json.js";
import type { DoctorKit, HooksKit, HostDoctor, ProgramFacts } from "../host.js";
import { PLUGIN_ROOT } from "./environment.js";
import { installedNames, installedRoots, pluginsFolder } from "./installed-names.js";
import { readSettings } from "./settings-files.js";
import { findingsOfHost, type HostFacts, hooksOff } from "./setup-findings.js";

type PluginFacts = NonNullable<HostFacts["plugin"]>;

export const doctor: HostDoctor = {
  title: "Claude Code",
  host: "claude-code",
  hooksOff: (kit) => hooksOff(hookFacts(kit)),
  examine: (kit) => {
    const { cli, lastSession } = kit;
    const host = kit.program("claude");
    const plugin = pluginOf(kit);
    return findingsOfHost({
      cli,
      ...defined({ host, lastSession }),
      ...(plugin === undefined ? {} : { plugin: { ...plugin, ...validated(kit, host, plugin.root) } }),
      ...hookFacts(kit),
    });
  },
};

function hookFacts(kit: HooksKit): Pick<HostFacts, "settings" | "mode"> {
  const { env, projectRoot } = kit;
  const mode = MODES.find(([variable]) => isSet(env[variable]))?.[1];
  return { settings: readSettings(env, projectRoot, kit.hostAbove(isHost)), ...defined({ mode }) };
}

/** The host sets these for everything that it starts; they are modes in which it runs no hooks. */
const MODES = [
  ["CLAUDE_CODE_SIMPLE", "--bare"],
  ["CLAUDE_CODE_SAFE_MODE", "--safe-mode"],
] as const;

function isSet(value: string | undefined): boolean {
  return /^(?:1|true|yes|on)$/iu.test(value ?? "");
}

/** The program itself, or a script that node runs. */
function isHost(argv: readonly string[]): boolean {
  const [program = "", script = ""] = argv;
  return path.basename(program) === "claude" || /\/@anthropic-ai\/claude-code[^/]*\//u.test(`${program} ${script}`);
}

/** The plugin that this program belongs to, or that the environment, the host or the last session names. */
function pluginOf({ cli, env, lastSession }: DoctorKit): Omit<PluginFacts, "validation"> | undefined {
  const folder = pluginsFolder(env);
  const inUse = [path.dirname(path.dirname(cli.path)), env[PLUGIN_ROOT], ...installedRoots(folder)];
  for (const root of [...inUse, lastSession?.pluginRoot]) {
    const manifest = root ? readManifest(root) : undefined;
    if (!root || manifest === undefined) continue;
    return { root, ...manifest, isGone: !inUse.includes(root) && installedNames(folder).length === 0 };
  }
  return undefined;
}

function readManifest(root: string): { version?: string } | undefined {
  try {
    const manifest: unknown = JSON.parse(fs.readFileSync(path.join(root, ".claude-plugin", "plugin.json"), "utf8"));
    if (!isJsonObject(manifest) || manifest["name"] !== "babysitter") return undefined;
    const { version } = manifest;
    return typeof version === "string" ? { version } : {};
  } catch {
    return undefined;
  }
}

function validated(
  kit: DoctorKit,
  host: ProgramFacts | undefined,
  root: string,
): { validation?: { ok: boolean; text: string } } {
  if (host?.version === undefined) return {};
  const { status, stdout, stderr } = kit.ask(host.path, ["plugin", "validate", root]);
  return { validation: { ok: status === 0, text: lastLines(`${stdout}\n${stderr}`) } };
}

function lastLines(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.slice(-6).join(" ");
}
