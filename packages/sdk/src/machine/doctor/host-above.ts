import fs from "node:fs";
import type { HostCommand } from "../../hosts/host.js";
import { readArguments, readProcEntry } from "../../spawn/proc-table.js";

/**
 * The nearest process above this one that is a host, with the words it was started with. Where there is no /proc the
 * system tells only one line, and a word of a prompt would pass for an option.
 */
export function hostAbove(isHost: (argv: readonly string[]) => boolean): HostCommand | undefined {
  const seen = new Set<number>();
  for (let pid = process.ppid; pid > 1 && !seen.has(pid); pid = readProcEntry(pid)?.parent ?? 0) {
    seen.add(pid);
    const argv = readArguments(pid);
    if (isHost(argv)) return { argv, ...folderOf(pid) };
  }
  return undefined;
}

function folderOf(pid: number): { cwd?: string } {
  try {
    return { cwd: fs.readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return {};
  }
}
