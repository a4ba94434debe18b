import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { readServerRecord, type ServerRecord } from "../server/server-record.js";

const PATIENCE_MS = 2_000;

/** The server of this person, if it answers: a record alone may be what a crash has left. */
export async function runningServer({ folder }: Pick<InboxDesk, "folder">): Promise<ServerRecord | undefined> {
  const record = readServerRecord(folder);
  if (record === undefined) return undefined;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`http://127.0.0.1:${record.apiPort}/health`, { signal });
    const { pid } = (await response.json()) as { pid?: unknown };
    return pid === record.pid ? record : undefined;
  } catch {
    return undefined;
  }
}
