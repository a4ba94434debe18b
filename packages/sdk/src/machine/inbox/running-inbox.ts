/** Whether the server of this person runs, and where. */
import { readServerRecord, type ServerRecord } from "../../inbox/server-record.js";
import { lifeHere } from "../../spawn/life-here.js";

const PATIENCE_MS = 2_000;

/** Without asking it: true only for a process that is surely the one that wrote the record. */
export function isServerAlive(folder: string): boolean {
  const record = readServerRecord(folder);
  return record !== undefined && lifeHere({ ...record, startTime: record.startTime ?? "" }) === "alive";
}

/** The server, if it answers: a record alone may be what a crash has left. */
export async function runningServer(folder: string): Promise<ServerRecord | undefined> {
  const record = readServerRecord(folder);
  if (record === undefined) return undefined;
  if (record.startTime !== undefined && lifeHere({ ...record, startTime: record.startTime }) === "dead")
    return undefined;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`http://127.0.0.1:${record.apiPort}/health`, { signal });
    const { pid } = (await response.json()) as { pid?: unknown };
    return pid === record.pid ? record : undefined;
  } catch {
    return undefined;
  }
}
