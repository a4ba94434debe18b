/** The settings that count for a command. */
import { readConfig } from "../config/read-config.js";
import { type ResolvedConfig, settingFlags } from "../config/resolve-config.js";
import type { Invocation } from "./invocation.js";

export function settingsOf({ env, options }: Invocation, projectRoot: string): ResolvedConfig {
  return readConfig({ projectRoot, env, flags: settingFlags(options) });
}
