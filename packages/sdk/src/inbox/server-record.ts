/** Where the one server of this person is heard, as it has written it down itself. */
import path from "node:path";
import { textIfRegular } from "../files/read-regular-file.js";
import { isJsonObject, parseJson } from "../model/json.js";

export interface ServerRecord {
  pid: number;
  /** Of the pages; absent where a server has none. */
  port?: number;
  /** For programs. */
  apiPort: number;
  since: string;
  /** What tells the process from a later one with its pid. */
  startTime?: string;
  host?: string;
  namespace?: string;
  machine?: string;
}

const MAX_BYTES = 64 * 1024;

export function serverRecordFile(folder: string): string {
  return path.join(folder, "server.json");
}

/** Undefined when there is none, or none that can be read; it may be what a crash has left. */
export function readServerRecord(folder: string): ServerRecord | undefined {
  try {
    const record = parseJson(textIfRegular(serverRecordFile(folder), MAX_BYTES) ?? "null");
    if (!isJsonObject(record)) return undefined;
    const { pid, port, apiPort, since, ...process } = record;
    const isRecord =
      isNumber(pid) && isNumber(apiPort) && (port === undefined || isNumber(port)) && typeof since === "string";
    const isText = (name: string): boolean => ["string", "undefined"].includes(typeof process[name]);
    return isRecord && ["startTime", "host", "namespace", "machine"].every(isText)
      ? (record as unknown as ServerRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

function isNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
