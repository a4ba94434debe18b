/** What a program that was started with pipes by another one on this machine writes to. */
import fs from "node:fs";

/**
 * True for one end of a pair of local sockets. Those of the network do not count: some shells open them by themselves,
 * as in `> /dev/tcp/…`. Where the system does not tell the two apart, any socket counts.
 */
export function isLocalSocket(fd: number): boolean {
  try {
    const stat = fs.fstatSync(fd);
    return stat.isSocket() && (localSockets()?.has(String(stat.ino)) ?? true);
  } catch {
    return false;
  }
}

const INODE_COLUMN = 6;

function localSockets(): Set<string> | undefined {
  try {
    const lines = fs.readFileSync("/proc/net/unix", "utf8").split("\n");
    return new Set(lines.slice(1).flatMap((line) => line.trim().split(/\s+/u)[INODE_COLUMN] ?? []));
  } catch {
    return undefined;
  }
}
