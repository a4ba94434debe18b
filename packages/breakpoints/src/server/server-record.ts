/** Where the server of this person is heard, for whoever looks for it. */
import fs from "node:fs";
import path from "node:path";

export interface ServerRecord {
  pid: number;
  /** For programs. */
  apiPort: number;
  /** For browsers. */
  port: number;
  since: string;
}

const NAME = "server.json";

export function writeServerRecord(folder: string, record: ServerRecord): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fresh = path.join(folder, `${NAME}.${process.pid}.tmp`);
  fs.writeFileSync(fresh, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(fresh, path.join(folder, NAME));
}

/** Removes the record if it is this program's own. */
export function removeServerRecord(folder: string): void {
  if (readServerRecord(folder)?.pid === process.pid) fs.rmSync(path.join(folder, NAME), { force: true });
}

export function readServerRecord(folder: string): ServerRecord | undefined {
  try {
    const record = JSON.parse(fs.readFileSync(path.join(folder, NAME), "utf8")) as Partial<ServerRecord>;
    const { pid, apiPort, port, since } = record;
    return [pid, apiPort, port].every(Number.isInteger) && typeof since === "string"
      ? (record as ServerRecord)
      : undefined;
  } catch {
    return undefined;
  }
}
