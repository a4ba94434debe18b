import fs from "node:fs";
import type { HostCommand } from "../../hosts/host.js";
import { HAS_PROC } from "../../spawn/process-group-ref.js";
import { above } from "../agents-above.js";

/**
 * The nearest process above this one that is a host, with the words it was started with. Where there is no /proc the
 * system tells only one line, and a word of a prompt would pass for an option.
 */
export function hostAbove(isHost: (argv: readonly string[]) => boolean): HostCommand | undefined {
  const host = HAS_PROC ? above()?.find(({ argv }) => isHost(argv)) : undefined;
  return host === undefined ? undefined : { argv: host.argv, ...folderOf(host.pid) };
}

function folderOf(pid: number): { cwd?: string } {
  try {
    return { cwd: fs.readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return {};
  }
}
