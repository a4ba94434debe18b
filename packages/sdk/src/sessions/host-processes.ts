/** Processes that have called our hooks as hosts: whatever they start is an agent's, whatever their programs are called. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";

export interface HostProcess {
  pid: number;
  startTime: string;
  /** A home may be shared by containers, which all number their processes from 1. */
  namespace?: string;
}

const MAX_BYTES = 200;
/** Notes about processes that nobody here can ask are kept this long. */
const KEPT_MS = 30 * 24 * 3_600_000;

function folder(home: string): string {
  return path.join(home, "log", "hosts");
}

function nameOf({ pid, namespace }: HostProcess): string {
  return namespace === undefined ? String(pid) : `${pid}@${namespace.replaceAll("/", "-")}`;
}

/** Never fails: a note that cannot be written is no reason to hold a host. */
export function recordHostProcess(
  home: string,
  host: HostProcess,
  lifeOf: (other: HostProcess) => "alive" | "dead" | "unknown",
): void {
  try {
    const dir = folder(home);
    makeFolders(dir, 0o700);
    for (const name of fs.readdirSync(dir))
      if (isUseless(path.join(dir, name), lifeOf)) fs.rmSync(path.join(dir, name), { force: true });
    fs.writeFileSync(path.join(dir, nameOf(host)), host.startTime, { mode: 0o600 });
  } catch {
    // The names of known programs are still there.
  }
}

function isUseless(file: string, lifeOf: (other: HostProcess) => "alive" | "dead" | "unknown"): boolean {
  const startTime = readNote(file);
  if (startTime === undefined) return true;
  const [pid, namespace] = path.basename(file).split("@");
  const where = namespace === undefined ? {} : { namespace: namespace.replaceAll("-", "/") };
  const life = lifeOf({ pid: Number(pid), startTime, ...where });
  return life === "dead" || (life === "unknown" && Date.now() - fs.statSync(file).mtimeMs > KEPT_MS);
}

export function isHostProcess(home: string, host: HostProcess): boolean {
  // Earlier versions have named the file after the pid only.
  const names = new Set([nameOf(host), String(host.pid)]);
  return [...names].some((name) => readNote(path.join(folder(home), name)) === host.startTime);
}

function readNote(file: string): string | undefined {
  try {
    const stat = fs.lstatSync(file);
    return stat.isFile() && stat.size < MAX_BYTES ? fs.readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
