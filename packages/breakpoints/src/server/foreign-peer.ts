import type { Socket } from "node:net";
import { type SocketRow, socketRows } from "./socket-table.js";

/** Another connection may come or go while the table is read, and hide one that is there. */
const LOOKS = 2;

/**
 * True for a connection of another user of this machine, as far as the system tells. Root may do anything anyway. Whoever
 * sends something and is gone before anyone looks is not told from another user, and waits for no answer.
 */
export function isForeignPeer(socket: Pick<Socket, "remotePort" | "localPort" | "remoteFamily">): boolean {
  const own = process.getuid?.();
  if (own === undefined) return false;
  let isOver = false;
  for (let look = 0; look < LOOKS; look += 1) {
    const rows = socketRows(socket.remoteFamily === "IPv6" ? "IPv6" : "IPv4");
    const find = (from: number | undefined, to: number | undefined): SocketRow | undefined =>
      rows.find(({ localPort, remotePort }) => localPort === from && remotePort === to);
    const peer = find(socket.remotePort, socket.localPort);
    if (peer !== undefined) return peer.inode === NO_PROCESS || (peer.uid !== own && peer.uid !== 0);
    // Not where the system lists nothing, nor where the other end is outside, as under WSL.
    isOver = rows.length > 0 && find(socket.localPort, socket.remotePort) === undefined;
  }
  return isOver;
}

/** What nobody has open any more is listed under root, whoever had it. */
const NO_PROCESS = "0";
