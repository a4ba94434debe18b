import fs from "node:fs";
import { socketRows } from "./socket-table.js";

export interface PortOwner {
  pid: number;
  command: string;
}

/** Who listens on a port; undefined where that cannot be seen, as with programs of others. */
export function ownerOfPort(port: number): PortOwner | undefined {
  const inodes = new Set(
    [...socketRows("IPv4"), ...socketRows("IPv6")]
      .filter(({ localPort, isListening }) => isListening && localPort === port)
      .map(({ inode }) => `socket:[${inode}]`),
  );
  if (inodes.size === 0) return undefined;
  const pid = namesIn("/proc").find((name) => /^\d+$/.test(name) && holdsAny(`/proc/${name}/fd`, inodes));
  return pid === undefined ? undefined : { pid: Number(pid), command: commandOf(pid) };
}

function holdsAny(fds: string, inodes: ReadonlySet<string>): boolean {
  return namesIn(fds).some((fd) => {
    try {
      return inodes.has(fs.readlinkSync(`${fds}/${fd}`));
    } catch {
      return false;
    }
  });
}

const LONGEST_COMMAND = 200;

function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim().slice(0, LONGEST_COMMAND);
  } catch {
    return "unknown";
  }
}

function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}
