/** Listens on this machine only, by both of its addresses. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Refusal, RequestHead } from "../rules/refuse-request.js";
import type { Headers } from "../rules/response-headers.js";
import { isForeignPeer } from "./foreign-peer.js";
import { ownerOfPort } from "./port-owner.js";
import { answerErrorsOf, refuse } from "./refuse.js";

export interface Listening {
  port: number;
  close: () => Promise<void>;
}

const ADDRESSES = ["127.0.0.1", "::1"];
/** A machine without one of the addresses is heard by the other. */
const NO_ADDRESS = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

/** One person with some browsers and programs has far fewer; whose each is takes longer the more there are. */
const MAX_CONNECTIONS = 256;
/** Whoever has not said what they want by then makes room for others. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 2_000 };

/** Why a request is not even looked at. */
type Guard = (head: RequestHead, port: number) => Refusal | undefined;

export interface ListenOptions {
  port: number;
  guard: Guard;
  /** Of every answer, whoever makes it. */
  headers: Headers;
  /** What names another port on the command line. */
  flag: string;
}

/** Port 0 takes a free one; the second address gets the same. */
export async function listen(
  app: Pick<Hono, "fetch">,
  { port: wanted, guard, headers: always, flag }: ListenOptions,
): Promise<Listening> {
  const answer = getRequestListener(app.fetch);
  const servers: http.Server[] = [];
  let port = wanted;
  try {
    for (const address of ADDRESSES) {
      // Without a Host too, the answer is ours.
      const server = http.createServer({ requireHostHeader: false, ...TIMES }, (request, response) => {
        for (const [name, value] of Object.entries(always)) response.setHeader(name, value);
        const { method = "", url: target = "", headersDistinct } = request;
        const header = (name: string): string | undefined => headersDistinct[name]?.join(", ");
        const refusal = guard({ method, target, header }, port);
        if (refusal === undefined) void answer(request, response);
        else refuse(request, response, refusal);
      });
      answerErrorsOf(server, always);
      server.maxConnections = MAX_CONNECTIONS;
      server.on("connection", (socket) => void (isForeignPeer(socket) && socket.destroy()));
      if (!(await listenAt(server, { host: address, port, flag }))) continue;
      servers.push(server);
      port = (server.address() as AddressInfo).port;
    }
  } catch (error) {
    await closeAll(servers);
    throw error;
  }
  return { port, close: () => closeAll(servers) };
}

async function listenAt(
  server: http.Server,
  { host, port, flag }: { host: string; port: number; flag: string },
): Promise<boolean> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port, exclusive: true, ipv6Only: true }, () => resolve());
    });
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (NO_ADDRESS.includes(code)) return false;
    throw code === "EADDRINUSE" ? busy(port, flag) : error;
  }
}

/** Where a port stays chosen: `babysitter ui` starts this program without flags. */
const SETTINGS: Readonly<Record<string, string>> = { "--port": "inbox.port", "--api-port": "inbox.apiPort" };

function busy(port: number, flag: string): BabysitterError {
  const owner = ownerOfPort(port);
  const who = owner === undefined ? "another program" : `process ${owner.pid} (${owner.command})`;
  return new BabysitterError("SYSTEM_REFUSED", `Port ${port} is used by ${who}.`, {
    hint: `Stop that program, or choose another port: ${SETTINGS[flag]} in ~/.config/babysitter/config.json.`,
    details: { port, ...owner },
  });
}

async function closeAll(servers: readonly http.Server[]): Promise<void> {
  for (const server of servers) {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}
