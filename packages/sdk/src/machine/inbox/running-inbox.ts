/** Whether the server of this person runs, and where. */
import { readServerRecord, type ServerRecord } from "../../inbox/server-record.js";
import { lifeHere } from "../../spawn/life-here.js";

const PATIENCE_MS = 2_000;

/** Without asking it: true only for a process that is surely the one that wrote the record. */
export function isServerAlive(folder: string): boolean {
  const record = readServerRecord(folder);
  return record !== undefined && lifeHere({ ...record, startTime: record.startTime ?? "" }) === "alive";
}

/**
 * The server, if it answers and says itself what the record says of it: that alone may be what a crash has left, or what
 * somebody has written who wants a sign-in link to lead elsewhere.
 */
export async function runningServer(folder: string): Promise<ServerRecord | undefined> {
  const record = readServerRecord(folder);
  if (record === undefined) return undefined;
  const { startTime } = record;
  if (startTime === undefined || lifeHere({ ...record, startTime }) === "dead") return undefined;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`http://127.0.0.1:${record.apiPort}/health`, { signal });
    const { pid, port } = (await response.json()) as { pid?: unknown; port?: unknown };
    return pid === record.pid && port === record.port ? record : undefined;
  } catch {
    return undefined;
  }
}
