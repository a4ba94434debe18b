/** Where the one server of this person is heard, as it has written it down itself. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { textIfRegular } from "../files/read-regular-file.js";
import { isJsonObject, parseJson } from "../model/json.js";

export interface ServerRecord {
  pid: number;
  /** For browsers. */
  port: number;
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

/** Whoever reads it meanwhile finds the one before, or this one. */
export function writeServerRecord(folder: string, record: ServerRecord): void {
  makeFolders(folder, 0o700);
  const fresh = `${serverRecordFile(folder)}.${process.pid}.tmp`;
  fs.writeFileSync(fresh, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(fresh, serverRecordFile(folder));
}

/** Removes it if it is this process's own. */
export function removeServerRecord(folder: string): void {
  if (readServerRecord(folder)?.pid === process.pid) fs.rmSync(serverRecordFile(folder), { force: true });
}

/** Undefined when there is none, or none that can be read; it may be what a crash has left. */
export function readServerRecord(folder: string): ServerRecord | undefined {
  try {
    const record = parseJson(textIfRegular(serverRecordFile(folder), MAX_BYTES) ?? "null");
    if (!isJsonObject(record)) return undefined;
    const { pid, port, apiPort, since, ...rest } = record;
    const isRecord = [pid, port, apiPort].every(isNumber) && typeof since === "string";
    const isText = (name: string): boolean => ["string", "undefined"].includes(typeof rest[name]);
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
