/** Answers requests that are not taken, so that whoever sent them hears why. */
import http from "node:http";
import type { Socket } from "node:net";
import type { Refusal } from "../rules/refuse-request.js";
import type { Headers } from "../rules/response-headers.js";

/** So much of a refused body is read and thrown away, and for so long. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_MS = 5_000;

/**
 * Before anything takes the request apart: what is refused may be made to confuse whoever does. A connection that is
 * closed while somebody still sends is reset, and the answer lost with it: it is closed behind the body.
 */
export function refuse(request: http.IncomingMessage, response: http.ServerResponse, refusal: Refusal): void {
  const { status, code, message, location } = refusal;
  const text = JSON.stringify({ error: { code, message } });
  response.writeHead(status, {
    ...(location === undefined ? {} : { Location: location }),
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    Connection: "close",
  });
  response.write(text);
  const patience = setTimeout(end, LONGEST_MS);
  let bytes = 0;
  function end(): void {
    clearTimeout(patience);
    response.end();
  }
  request.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MOST_BYTES) end();
  });
  request.once("end", end).once("close", end);
}

/** What the parser of requests cannot make sense of, and what Node would answer itself. */
export function answerErrorsOf(server: http.Server, always: Headers): void {
  /** The last answer of each connection. */
  const answers = new WeakMap<object, http.ServerResponse>();
  const refused = new WeakSet<object>();
  server.on("request", ({ socket }, response) => void answers.set(socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // The rest of what was refused already, and is read for the same reason as a refused body.
    if (refused.has(socket)) return;
    const answer = answers.get(socket);
    const isAnswering = answer !== undefined && answer.headersSent && !answer.writableFinished;
    // Behind half of an answer, another one would be taken for its other half.
    if (!socket.writable || isAnswering) return socket.destroySoon();
    refused.add(socket);
    socket.end(errorText(error, always));
    setTimeout(() => socket.destroy(), LONGEST_MS).unref();
  });
  server.on("checkExpectation", (request, response) => {
    for (const [name, value] of Object.entries(always)) response.setHeader(name, value);
    refuse(request, response, {
      status: 417,
      code: "EXPECTATION",
      message: "The Expect header of the request is not supported.",
    });
  });
}

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function errorText({ code = "" }: NodeJS.ErrnoException, always: Headers): string {
  const status = STATUS[code] ?? 400;
  const words = http.STATUS_CODES[status] ?? "";
  const text = JSON.stringify({ error: { code: "REQUEST_UNREADABLE", message: `The request was refused: ${words}.` } });
  const headers = { ...always, "Content-Type": "application/json", "Content-Length": text.length, Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${words}\r\n${lines.join("")}\r\n${text}`;
}
