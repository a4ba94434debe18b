/** Who calls, from where, and with which options that are settings: what commands and hooks of hosts have in common. */
import fs from "node:fs";
import { configFiles, readConfig } from "../config/read-config.js";
import type { ConfigSources, ResolvedConfig } from "../config/resolve-config.js";
import type { Places } from "./file-places.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Caller {
  cwd: string;
  env: Environment;
  /** Options of the command that are settings. */
  flags: ConfigSources["flags"];
  /** A plugin that the caller has named, absolute. */
  pluginRoot?: string | undefined;
  /** The command line that hooks are to find, where this program is another one. */
  program?: string | undefined;
  /** Looked up on demand: not every command needs a project. */
  places: () => Places;
  /** Tells what is read and done, where someone wants to know. */
  trace?: Trace | undefined;
  /** Tells what someone should know beside the answer. */
  notice?: Trace | undefined;
}

export type Trace = (line: string) => void;

/** The settings that count for this caller in a project. */
export function settingsFor(
  { env, flags, trace }: Pick<Caller, "env" | "flags" | "trace">,
  projectRoot: string,
): ResolvedConfig {
  if (trace !== undefined)
    for (const file of Object.values(configFiles(projectRoot, env)))
      trace(fs.existsSync(file) ? `settings in ${file}` : `no settings in ${file}`);
  return readConfig({ projectRoot, env, flags });
}
