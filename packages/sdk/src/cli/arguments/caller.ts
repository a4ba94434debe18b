import path from "node:path";
import { settingFlags } from "../../config/resolve-config.js";
import type { Caller } from "../../machine/caller.js";
import type { Invocation } from "../grammar/invocation.js";

/** What everything below the command line may know of it. */
export function callerOf({ cwd, env, options, places, trace, notice }: Invocation): Caller {
  const pluginRoot = options.text("plugin-root");
  return {
    cwd,
    env,
    flags: settingFlags(options),
    pluginRoot: pluginRoot === undefined ? undefined : path.resolve(cwd, pluginRoot),
    places,
    trace,
    notice,
  };
}
