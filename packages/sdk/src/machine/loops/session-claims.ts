/**
 * One command at a time binds a session. The claim is a lease in the person's own folder, whatever folder the session
 * files are in: whoever dies with it is found out by its process, and it is not held any longer than the command takes.
 */
import crypto from "node:crypto";
import path from "node:path";
import { type HeldLease, holdLease } from "../../drive/lease.js";
import { FileLeases } from "../../journal/files/file-leases.js";
import type { ErrorCode } from "../../model/error-codes.js";
import { BabysitterError } from "../../model/errors.js";
import { parseRunId } from "../../model/ids.js";

const LOOK_MS = 25;
/** The other command may be importing a process. */
const PATIENCE_MS = 30_000;
const UNUSABLE: ReadonlySet<ErrorCode> = new Set([
  "JOURNAL_UNWRITABLE",
  "JOURNAL_UNREADABLE",
  "JOURNAL_BROKEN",
  "HARD_LINKS_UNSUPPORTED",
]);
const TAKEN: ReadonlySet<ErrorCode> = new Set(["RUN_BUSY", "RUN_CONTENDED"]);
/** Leases are those of runs, by their names. */
const CLAIM = parseRunId("claim");

/** Does something while no other command binds this session; the others wait, and then see what has come of it. */
export async function withSessionClaim<T>(home: string, sessionId: string, act: () => Promise<T>): Promise<T> {
  const claim = await claimSession(path.join(home, "claims", shareOf(sessionId)), sessionId);
  try {
    return await act();
  } finally {
    await claim?.release();
  }
}

/** Sessions come and go, and folders would be left behind: a few share each. */
function shareOf(sessionId: string): string {
  return crypto.createHash("sha256").update(sessionId).digest("hex").slice(0, 1);
}

async function claimSession(folder: string, sessionId: string): Promise<HeldLease | undefined> {
  const leases = new FileLeases({ runDir: () => folder, within: () => "/", now: () => new Date() });
  const session = crypto.randomBytes(8).toString("hex");
  for (const patience = Date.now() + PATIENCE_MS; ; ) {
    try {
      return await holdLease(leases, CLAIM, { session, runDir: folder, onLost: () => undefined });
    } catch (error) {
      if (!BabysitterError.is(error)) throw error;
      // Where the folder cannot be written, a session can be bound all the same.
      if (UNUSABLE.has(error.code)) return undefined;
      if (!TAKEN.has(error.code)) throw error;
      if (Date.now() > patience) throw taken(sessionId, error);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

function taken(sessionId: string, { details }: BabysitterError): BabysitterError {
  const { pid } = details as { pid?: number };
  return new BabysitterError("RUN_BUSY", `Session ${sessionId} is being bound to a run by process ${pid}.`, {
    hint: "Wait for that command, or end it; then run this one again.",
    details: { sessionId, ...details },
  });
}
