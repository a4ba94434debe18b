import type { Socket } from "node:net";
import { socketRows } from "./socket-table.js";

/** True for a connection of another user of this machine, as far as the system tells. Root may do anything anyway. */
export function isForeignPeer({ remotePort, localPort, remoteFamily }: Socket): boolean {
  const own = process.getuid?.();
  if (own === undefined) return false;
  const peer = socketRows(remoteFamily === "IPv6" ? "IPv6" : "IPv4").find(
    (row) => row.localPort === remotePort && row.remotePort === localPort,
  );
  return peer !== undefined && peer.uid !== own && peer.uid !== 0;
}
