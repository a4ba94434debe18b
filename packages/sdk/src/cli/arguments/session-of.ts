/** The session that a command is given in, and the files that say what it works on. */

import { isAgentEnvironment } from "../../hosts/environments.js";
import { detectHost, sessionIdIn } from "../../hosts/registry.js";
import { parseSessionId } from "../../loop/formats/session-id.js";
import { BabysitterError } from "../../model/errors.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import { SessionRegistry } from "../../sessions/session-registry.js";
import type { Invocation } from "../grammar/invocation.js";

/** Named, else the one in whose shell the command runs. */
export function sessionOf({ options, env }: Invocation): string | undefined {
  const given = options.text("session-id");
  if (given === undefined) return isAgentEnvironment(env) ? sessionIdIn(env) : undefined;
  const id = parseSessionId(given);
  if (id !== undefined) return id;
  throw new BabysitterError("INVALID_ID", `${JSON.stringify(given.slice(0, 60))} is no valid session id.`, {
    hint: "Use 1 to 128 letters, digits, dots, dashes and underscores, not beginning with a dot, without '..'.",
  });
}

export function harnessNameOf({ options, env }: Invocation): string {
  return options.text("harness") ?? detectHost(env).name;
}

export function placesOf(invocation: Invocation): ReturnType<typeof sessionPlaces> {
  const { options, env, cwd } = invocation;
  const stateDir = options.text("state-dir");
  const pluginRoot = options.text("plugin-root");
  return sessionPlaces({
    env,
    cwd,
    projectRoot: invocation.places().projectRoot,
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(pluginRoot === undefined ? {} : { pluginRoot }),
  });
}

export function registryOf(invocation: Invocation): SessionRegistry {
  return new SessionRegistry(placesOf(invocation), () => new Date());
}
