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

export function removeServerRecord(folder: string): void {
  fs.rmSync(path.join(folder, NAME), { force: true });
}
