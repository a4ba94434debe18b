/** The session that a command is given in. */
import path from "node:path";
import { detectHost, sessionVariableIn } from "../../hosts/registry.js";
import { parseSessionId } from "../../loop/formats/session-id.js";
import type { HostSession } from "../../loop-runs/find-loop.js";
import { BabysitterError } from "../../model/errors.js";
import { defined } from "../../model/json.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import { SessionRegistry } from "../../sessions/session-registry.js";
import type { Invocation } from "../grammar/invocation.js";

/** Named, else the one that the environment names. A name that is none must not pass for no session at all. */
export function sessionOf({ options, env }: Pick<Invocation, "options" | "env">): string | undefined {
  const given = options.text("session-id");
  const variable = given === undefined ? sessionVariableIn(env) : undefined;
  const text = variable === undefined ? given : env[variable];
  if (text === undefined) return undefined;
  const id = parseSessionId(text);
  if (id !== undefined) return id;
  const where = variable === undefined ? "" : ` (${variable})`;
  throw new BabysitterError("INVALID_ID", `${JSON.stringify(text.slice(0, 60))}${where} is not a valid session ID.`, {
    hint: "Use 1 to 128 letters, digits, dots, dashes and underscores, not starting with a dot, without '..'.",
  });
}

export function harnessNameOf({ options, env }: Pick<Invocation, "options" | "env">): string {
  return options.text("harness") ?? detectHost(env).name;
}

/** The session with its host; undefined outside any session. */
export function hostSessionOf(invocation: Invocation): HostSession | undefined {
  const sessionId = sessionOf(invocation);
  return sessionId === undefined ? undefined : { harness: harnessNameOf(invocation), sessionId };
}

/** The files of sessions, where this command looks for them. */
export function sessionFilesOf({ cwd, env, places, options, typed }: Invocation): SessionRegistry {
  if (typed !== undefined) return typed.sessions;
  const stateDir = options.text("state-dir");
  const given = options.text("plugin-root");
  const pluginRoot = given === undefined ? undefined : path.resolve(cwd, given);
  const where = { env, cwd, projectRoot: places().projectRoot, ...defined({ stateDir, pluginRoot }) };
  return new SessionRegistry(sessionPlaces(where), () => new Date());
}
