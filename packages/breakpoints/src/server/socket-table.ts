/** The connections of this machine, as Linux lists them; nothing elsewhere. */
import fs from "node:fs";

export interface SocketRow {
  localPort: number;
  remotePort: number;
  isListening: boolean;
  uid: number;
  inode: string;
}

const LISTENING = "0A";

export function socketRows(family: "IPv4" | "IPv6"): SocketRow[] {
  let text: string;
  try {
    text = fs.readFileSync(family === "IPv4" ? "/proc/net/tcp" : "/proc/net/tcp6", "latin1");
  } catch {
    return [];
  }
  return text
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const [, local = "", remote = "", state, , , , uid = "", , inode = ""] = line.trim().split(/\s+/);
      if (local === "") return [];
      return [
        {
          localPort: portOf(local),
          remotePort: portOf(remote),
          isListening: state === LISTENING,
          uid: Number(uid),
          inode,
        },
      ];
    });
}

/** Addresses and ports are in hexadecimal digits. */
function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
}
