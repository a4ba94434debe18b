/** The settings that count for a command. */
import { readConfig } from "../../config/read-config.js";
import { type ResolvedConfig, settingFlags } from "../../config/resolve-config.js";
import type { ConfigValues } from "../../config/settings.js";
import type { Invocation } from "../grammar/invocation.js";

/** How long each hook may take, where a setting says so. */
export function hookLimits({ "hooks.timeoutMs": timeoutMs }: ConfigValues): { timeoutMs?: number } {
  return timeoutMs === null ? {} : { timeoutMs };
}

export function settingsOf({ env, options }: Invocation, projectRoot: string): ResolvedConfig {
  return readConfig({ projectRoot, env, flags: settingFlags(options) });
}
