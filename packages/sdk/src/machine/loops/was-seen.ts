import { partsOf } from "../../hosts/host-parts.js";
import { readLastSession } from "../../sessions/last-session.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Caller } from "../caller.js";

/** Whether a hook or a transcript of a session was ever seen here. Of a host that we know nothing of nobody can tell. */
export function wasSeen(
  { cwd, env }: Pick<Caller, "cwd" | "env">,
  { harness, sessionId }: { harness: string; sessionId: string },
): boolean {
  const { hasSession } = partsOf({ name: harness });
  if (hasSession === undefined || hasSession(sessionId, env)) return true;
  return readLastSession(sessionPlaces({ env, cwd }).home)?.sessionId === sessionId;
}
