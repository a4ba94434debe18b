import { partsOf } from "../../hosts/host-parts.js";
import { readLastSession } from "../../sessions/last-session.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Caller } from "../caller.js";

/** Whether a hook or a transcript of a session was ever seen here. Of a host that we know nothing of nobody can tell. */
export function wasSeen(
  { cwd, env }: Pick<Caller, "cwd" | "env">,
  { harness, sessionId }: { harness: string; sessionId: string },
): boolean {
  const parts = partsOf({ name: harness });
  if (parts.hasSession?.(sessionId, env) ?? true) return true;
  return readLastSession(sessionPlaces({ env, cwd }).home)?.sessionId === sessionId;
}
