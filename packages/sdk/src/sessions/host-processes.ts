/** Processes that have called our hooks as hosts: whatever they start is an agent's, whatever their programs are called. */
import fs from "node:fs";
import path from "node:path";

export interface HostProcess {
  pid: number;
  startTime: string;
}

const MAX_BYTES = 200;

function folder(home: string): string {
  return path.join(home, "log", "hosts");
}

/** Never fails: a note that cannot be written is no reason to hold a host. */
export function recordHostProcess(
  home: string,
  { pid, startTime }: HostProcess,
  isAlive: (pid: number) => boolean,
): void {
  try {
    const dir = folder(home);
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const name of fs.readdirSync(dir))
      if (!isAlive(Number(name))) fs.rmSync(path.join(dir, name), { force: true });
    fs.writeFileSync(path.join(dir, String(pid)), startTime, { mode: 0o600 });
  } catch {
    // The names of known programs are still there.
  }
}

export function isHostProcess(home: string, { pid, startTime }: HostProcess): boolean {
  try {
    const file = path.join(folder(home), String(pid));
    const stat = fs.lstatSync(file);
    return stat.isFile() && stat.size < MAX_BYTES && fs.readFileSync(file, "utf8") === startTime;
  } catch {
    return false;
  }
}
