/** Settings that would free a running session from our hooks. Nobody but a person may do that, and they can pause the loop. */
import type { Environment } from "../host.js";
import { PLUGIN_ROOT } from "./environment.js";
import { CAP_VARIABLE } from "./limits.js";
import { readSettings } from "./settings-files.js";
import { hooksOff, type SettingsFacts } from "./setup-findings.js";

/** With another value in them our hooks would look for the session elsewhere, or be called less often. */
const VARIABLES = ["BABYSITTER_HOME", "HOME", CAP_VARIABLE];

export function escapeInSettings(env: Environment, projectRoot: string): string | undefined {
  const settings = readSettings(env, projectRoot);
  const off = hooksOff({ settings });
  if (off !== undefined) return off.what;
  return settings.map((facts) => escapeIn(facts, env)).find((found) => found !== undefined);
}

/** `<plugin>@<marketplace>`; the host runs it from a folder named after both. One that was started from elsewhere stays. */
function isInUse(name: string, env: Environment): boolean {
  const marketplace = name.slice(name.indexOf("@") + 1);
  return env[PLUGIN_ROOT]?.split(/[\\/]/u).includes(marketplace) === true;
}

/** A variable that has this value already was set when the session started, and is no escape. */
function escapeIn({ path, switchedOff, variables = {} }: SettingsFacts, env: Environment): string | undefined {
  if (switchedOff !== undefined && isInUse(switchedOff, env)) return `${path} disables ${switchedOff}`;
  const changed = VARIABLES.find((name) => {
    const given = variables[name];
    return (typeof given === "string" || typeof given === "number") && String(given) !== env[name];
  });
  return changed === undefined ? undefined : `${path} sets ${changed}`;
}
