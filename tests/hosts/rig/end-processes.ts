/** Ends what a host has started. Its tools have process groups of their own, so the host's group is not all of it. */
import fs from "node:fs";

/** In the environment of a host and, by inheritance, of everything that it starts. */
export const MARKER = "BABYSITTER_TEST_HOST";

export function endGroup(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) return;
  signal(-pid);
}

/** Where the system shows environments; elsewhere groups have to do. */
export function endMarked(mark: string): void {
  for (const pid of markedPids(mark)) signal(pid);
}

export function markedPids(mark: string): number[] {
  const wanted = `${MARKER}=${mark}`;
  return pidsBelowProc().filter((pid) => environmentOf(pid).includes(wanted));
}

function pidsBelowProc(): number[] {
  if (!fs.existsSync("/proc/self/environ")) return [];
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid);
}

function environmentOf(pid: number): string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

function signal(target: number): void {
  try {
    process.kill(target, "SIGKILL");
  } catch {
    // It has ended.
  }
}
