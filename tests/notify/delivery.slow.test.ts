/** What is known after a request, with real sockets that fail in every way. */
import http from "node:http";
import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import tls from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { deliver, listen, USUAL_LIMITS } from "../../packages/breakpoints/src/channels/http-delivery.js";
import { noStop, outcomeOf } from "../fixtures/notify/channel-bench.js";
import { FakeService } from "../fixtures/notify/fake-service.js";
import { type Behaviour, Faults } from "../fixtures/notify/faults.js";
import { SELF_SIGNED } from "../fixtures/notify/self-signed.js";

const SHORT = { timeMs: 300, bytes: 64 * 1024 };
const SECRET = "secret-in-the-address";

/** Ends with the test; answers its port. */
async function listening(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as net.AddressInfo).port;
}

/** Does something as soon as a request comes in. */
function onRequest(act: (socket: net.Socket) => void): Promise<number> {
  return listening(net.createServer((socket) => socket.once("data", () => act(socket))));
}

function post(port: number, protocol = "http", limits = USUAL_LIMITS): ReturnType<typeof outcomeOf> {
  const url = `${protocol}://127.0.0.1:${port}/${SECRET}`;
  return outcomeOf(deliver({ url, method: "POST", body: "hello", reads: true }, noStop(), limits));
}

describe("B9: a message that was surely not sent", () => {
  it("because nobody listens", async () => {
    const server = net.createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await post(port)).toEqual({ outcome: "not-sent", reason: `127.0.0.1:${port} refused the connection` });
  });

  it("because there is no such name", async () => {
    const delivery = deliver({ url: "http://nobody.invalid/secret", method: "POST", body: "" }, noStop());
    expect(await outcomeOf(delivery)).toEqual({
      outcome: "not-sent",
      reason: "the host name nobody.invalid could not be resolved",
    });
  });

  it("because nobody trusts the certificate", async () => {
    const port = await listening(tls.createServer(SELF_SIGNED));
    expect(await post(port, "https")).toEqual({
      outcome: "not-sent",
      reason: `the certificate of 127.0.0.1:${port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    });
  });

  it.each([
    ["there is no TLS", (socket: net.Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["TLS is cut off", (socket: net.Socket) => socket.destroy()],
  ])("because %s", async (_, act) => {
    const port = await onRequest(act);
    expect(await post(port, "https")).toEqual({
      outcome: "not-sent",
      reason: `the TLS handshake with 127.0.0.1:${port} failed`,
    });
  });

  it("because the worker had stopped already", async () => {
    const port = await onRequest((socket) => socket.end());
    const stopped = AbortSignal.abort();
    const delivery = deliver({ url: `http://127.0.0.1:${port}/`, method: "POST", body: "" }, stopped);
    expect(await outcomeOf(delivery)).toMatchObject({ outcome: "not-sent" });
  });
});

describe("B9: a message that may have arrived", () => {
  it.each([
    ["was cut", (socket: net.Socket) => socket.destroy(), "closed the connection without answering"],
    ["was reset", (socket: net.Socket) => socket.resetAndDestroy(), "closed the connection without answering"],
    ["answers no HTTP", (socket: net.Socket) => socket.end("garbage\r\n\r\n"), "sent a response that is not HTTP"],
    [
      "answers endless headers",
      (socket: net.Socket) => socket.end(`HTTP/1.1 200 OK\r\nA: ${"a".repeat(100_000)}\r\n\r\n`),
      "sent a response that is not HTTP",
    ],
    [
      "answers half of what it promised",
      (socket: net.Socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nab"),
      "closed the connection without answering",
    ],
  ])("when the connection %s", async (_, act, reason) => {
    const port = await onRequest(act);
    expect(await post(port)).toEqual({ outcome: "in-doubt", reason: `127.0.0.1:${port} ${reason}` });
  });

  it.each([
    ["never answers", (): void => undefined],
    ["never finishes its answer", (socket: net.Socket): void => void socket.write("HTTP/1.1 200 OK\r\nContent-Le")],
    [
      "never finishes the body",
      (socket: net.Socket): void => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na"),
    ],
  ])("when a service %s", async (_, act) => {
    const port = await onRequest(act);
    expect(await post(port, "http", SHORT)).toEqual({
      outcome: "in-doubt",
      reason: `127.0.0.1:${port} did not answer within 1 s`,
    });
  });

  it("when the worker is stopped meanwhile", async () => {
    const stop = new AbortController();
    const port = await onRequest(() => stop.abort());
    const delivery = deliver({ url: `http://127.0.0.1:${port}/`, method: "POST", body: "" }, stop.signal);
    expect(await outcomeOf(delivery)).toEqual({
      outcome: "in-doubt",
      reason: `sending was stopped before 127.0.0.1:${port} answered`,
    });
  });
});

describe("an answer", () => {
  async function service(behaviour: Behaviour): Promise<FakeService> {
    const faults = new Faults();
    faults.always(behaviour);
    return FakeService.start((_, response) => {
      if (!faults.answer(faults.take(), response)) response.end("fine");
    });
  }

  it("is read as far as it may be, however long it is", async () => {
    const { url } = await service("flood");
    const text = await deliver({ url, method: "GET", reads: true }, noStop(), { timeMs: 60_000, bytes: 1_000 });
    expect(text.length).toBeGreaterThan(1_000);
    expect(text.length).toBeLessThan(1_000_000);
  });

  it("is not waited for where nothing of it is needed", async () => {
    const { url } = await service("flood");
    expect(await outcomeOf(deliver({ url, method: "POST", body: "" }, noStop()))).toBe("delivered");
  });

  it.each([301, 302, 303, 307, 308])("leads nowhere else: %d", async (status) => {
    const other = await FakeService.start((_, response) => response.end("taken"));
    const { url } = await FakeService.start((_, response) =>
      response.writeHead(status, { Location: `${other.url}/elsewhere` }).end(),
    );
    const headers = { Authorization: "Bearer secret" };
    expect(await outcomeOf(deliver({ url, method: "POST", headers, body: "hello" }, noStop()))).toMatchObject({
      outcome: "not-sent",
    });
    expect(other.requests).toEqual([]);
  });

  it.each<Behaviour>(["hang", "flood"])("leaves no connection behind: %s", async (behaviour) => {
    const fake = await service(behaviour);
    await outcomeOf(deliver({ url: fake.url, method: "POST", body: "" }, noStop(), SHORT));
    expect(fake.requests).toHaveLength(1);
    while ((await fake.connections()) > 0) await delay(5);
  });
});

describe("listening", () => {
  it("ends as soon as there is enough", async () => {
    const server = http.createServer((_, response) => void response.write("one\n"));
    const port = await listening(server);
    const limits = { timeMs: 60_000, bytes: 1_000, isEnough: (text: string) => text.includes("one\n") };
    expect(await listen({ url: `http://127.0.0.1:${port}`, method: "GET" }, noStop(), limits)).toBe("one\n");
  });

  it("counts what was heard before it was cut, or before the time was over", async () => {
    const limits = { ...SHORT, isEnough: () => false };
    const cut = await onRequest((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\none\n"));
    expect(await listen({ url: `http://127.0.0.1:${cut}`, method: "GET" }, noStop(), limits)).toBe("one\n");
    const slow = await onRequest((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\none\n"));
    expect(await listen({ url: `http://127.0.0.1:${slow}`, method: "GET" }, noStop(), limits)).toBe("one\n");
  });
});
