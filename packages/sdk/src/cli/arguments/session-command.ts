/** What the commands about session files have in common. */

import type { SessionFile } from "../../loop/formats/session-file.js";
import { BabysitterError } from "../../model/errors.js";
import type { Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { sessionFilesOf, sessionOf } from "./session-of.js";

export function requiredSession(invocation: Invocation): string {
  const sessionId = sessionOf(invocation);
  if (sessionId === undefined) throw usageError(invocation, "--session-id is missing.");
  return sessionId;
}

export interface OpenedSession {
  sessionId: string;
  file: string;
  session: SessionFile;
}

/** Undefined when there is no file; one that cannot be read is left alone here. */
export function openSession(invocation: Invocation): OpenedSession | undefined {
  const sessionId = requiredSession(invocation);
  const found = sessionFilesOf(invocation).find(sessionId);
  if (found.kind === "none") return undefined;
  if (found.kind === "found") return { sessionId, file: found.file, session: found.session };
  throw new BabysitterError("SESSION_FILE_CORRUPT", `${found.file} cannot be read: ${found.problem}`, {
    hint: "It was not changed. Fix it or move it away; the state of its run is in the journal.",
    details: { file: found.file, problem: found.problem },
  });
}

export function requiredFile(invocation: Invocation): OpenedSession {
  const opened = openSession(invocation);
  if (opened !== undefined) return opened;
  throw new BabysitterError("SESSION_NOT_FOUND", `There is no file for session ${requiredSession(invocation)}.`, {
    hint: "`babysitter session:init` creates one; `babysitter paths` shows where they are.",
  });
}

/** A session as scripts know it. */
export function stateDocument({ session, file }: OpenedSession): object {
  const { prompt, unknown: _, ...state } = session;
  return { found: true, state, prompt, stateFile: file };
}
