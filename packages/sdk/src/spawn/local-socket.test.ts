import fs from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { isLocalSocket } from "./local-socket.js";

/** The descriptor of a socket that is connected to what listens there. */
async function connected(listen: (server: Server) => void): Promise<number> {
  const server = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => {
    server.once("listening", resolve);
    listen(server);
  });
  const address = server.address();
  const socket = typeof address === "string" ? connect(address) : connect(address?.port ?? 0, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => void socket.once("connect", resolve));
  return (socket as Socket & { _handle: { fd: number } })._handle.fd;
}

describe("a local socket", () => {
  it("is one between programs on this machine", async () => {
    const place = path.join(tempDir(), "s");
    expect(isLocalSocket(await connected((server) => server.listen(place)))).toBe(true);
  });

  it.runIf(process.platform === "linux")("is none of the network, such as a shell can open by itself", async () => {
    expect(isLocalSocket(await connected((server) => server.listen(0, "127.0.0.1")))).toBe(false);
  });

  it("is no file, and nothing that is not open", () => {
    const file = fs.openSync(process.execPath, "r");
    onTestFinished(() => fs.closeSync(file));
    expect([isLocalSocket(file), isLocalSocket(1_000_000)]).toEqual([false, false]);
  });
});
