/** The address for people by hand: what browsers would never send, and what they do send, byte by byte. */
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Asked, type Reply, type Sent, WebInbox } from "../fixtures/browser/web-inbox.js";

const FILES = { "plan.md": "# Plan\n", ".env": "KEY=1\n", "credentials.json": '{"key":1}\n' };

let inbox: WebInbox;
let asked: Asked;
let token: string;
let shown: unknown;

beforeAll(async () => {
  inbox = await WebInbox.start(FILES);
  fs.writeFileSync(inbox.project.path("..", "outside.txt"), "private");
  fs.symlinkSync(inbox.project.path("..", "outside.txt"), inbox.project.path("link.txt"));
  asked = await inbox.ask({
    question: "Ship it?",
    options: ["later"],
    context: { files: ["plan.md", ".env", "credentials.json", "link.txt", "../outside.txt", "/etc/passwd"] },
  });
  token = inbox.token();
  ({ shown } = (await get(`/api/questions/${asked.id}`)).json());
});
afterAll(() => inbox.end());

const bearer = (): Record<string, string> => ({ Authorization: `Bearer ${token}` });
const get = (path: string): Promise<Reply> => inbox.request({ path, headers: bearer() });

/** As one of the inbox's own pages sends it. */
function fromPage(path: string, document: unknown, more: Record<string, string> = {}): Sent {
  return {
    method: "POST",
    path,
    headers: {
      ...bearer(),
      Origin: inbox.origin,
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/json",
      ...more,
    },
    body: typeof document === "string" ? document : JSON.stringify(document),
  };
}

const approval = (question: Asked = asked): Sent =>
  fromPage(`/api/questions/${question.id}/decision`, { decision: "approve", shown });

function expectGuarded({ headers }: Reply): void {
  expect(headers["access-control-allow-origin"]).toBeUndefined();
  expect(headers["set-cookie"]).toBeUndefined();
  expect(headers["content-security-policy"]).toMatch(
    /default-src 'none'.*frame-ancestors 'none'.*require-trusted-types-for 'script'/u,
  );
  expect(headers).toMatchObject({
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
}

async function expectRefused(request: Sent, status: number | number[]): Promise<void> {
  const reply = await inbox.request(request);
  const { method, path, headers } = request;
  const what = JSON.stringify({ method, path, headers });
  expect([what, [status].flat().includes(reply.status) ? "refused" : reply.status]).toEqual([what, "refused"]);
  expectGuarded(reply);
  expect(reply.text).not.toMatch(/\bat .*\.js|node:|\/packages\//u);
}

describe("the address for people", () => {
  it("B8: takes no request under another name, and sends pages of this machine's other names to localhost", async () => {
    const { port } = inbox;
    const wrong = [
      "evil.test",
      `evil.test:${port}`,
      `localhost.evil.test:${port}`,
      `127.0.0.1.nip.io:${port}`,
      "localhost",
      `localhost:${port + 1}`,
      `0.0.0.0:${port}`,
      `localhost:${port}.`,
      `evil@localhost:${port}`,
      "null",
      "[::]",
    ];
    for (const Host of wrong) {
      await expectRefused({ ...approval(), headers: { ...approval().headers, Host } }, [400, 421]);
      await expectRefused({ path: "/", headers: { Host } }, [400, 421]);
    }
    for (const Host of [`127.0.0.1:${port}`, `[::1]:${port}`]) {
      await expectRefused({ ...approval(), headers: { ...approval().headers, Host } }, 421);
      await expectRefused({ path: "/api/questions", headers: { Host, ...bearer() } }, 421);
      for (const path of ["/", `/questions/${asked.id}?x=1`, "//evil.test/", "/\\evil.test"]) {
        const reply = await inbox.request({ path, headers: { Host } });
        expect([path, reply.status, reply.headers.location]).toEqual([path, 308, `${inbox.origin}${path}`]);
        expectGuarded(reply);
      }
    }
    expect((await inbox.request({ path: "/", address: "::1" })).status).toBe(200);
    expect(await asked.isOpen()).toBe(true);
  });

  it.each([
    ["no Host", "POST %s HTTP/1.0\r\n"],
    ["no Host in HTTP 1.1", "POST %s HTTP/1.1\r\n"],
    ["an empty Host", "POST %s HTTP/1.1\r\nHost:\r\n"],
    ["two Hosts", "POST %s HTTP/1.1\r\nHost: evil.test\r\nHost: localhost:%p\r\n"],
    ["a whole address as a target", "POST http://evil.test%s HTTP/1.1\r\nHost: evil.test\r\n"],
    ["two lengths", "POST %s HTTP/1.1\r\nHost: localhost:%p\r\nTransfer-Encoding: chunked\r\n"],
  ])("B8: %s: refused", async (_, head) => {
    const { path = "", body = "", headers = {} } = approval();
    const lines = Object.entries({ ...headers, "Content-Length": String(body.length), Connection: "close" });
    const text = head.replace("%s", path).replace("%p", String(inbox.port));
    const reply = await raw(`${text}${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`);
    expect(reply).toMatch(/^HTTP\/1\.1 4(?:00|21) /u);
    expect(await asked.isOpen()).toBe(true);
  });

  it("B8: takes nothing from other origins, however well it is written", async () => {
    const { port } = inbox;
    const origins = [
      "https://evil.test",
      "null",
      "",
      `https://localhost:${port}`,
      `http://localhost:${port + 1}`,
      "http://localhost",
      `http://localhost:${port}.evil.test`,
      `http://127.0.0.1:${port}`,
      `http://LOCALHOST:${port}/`,
      `${inbox.origin}/`,
      `${inbox.origin} http://evil.test`,
      `http://localhost:${inbox.apiPort}`,
    ];
    for (const Origin of origins) {
      await expectRefused({ ...approval(), headers: { ...approval().headers, Origin } }, 403);
      await expectRefused({ path: "/api/questions", headers: { ...bearer(), Origin } }, 403);
    }
    for (const site of ["cross-site", "same-site", "none", "SAME-SITE"]) {
      await expectRefused({ ...approval(), headers: { ...approval().headers, "Sec-Fetch-Site": site } }, 403);
      await expectRefused({ path: "/api/questions", headers: { ...bearer(), "Sec-Fetch-Site": site } }, 403);
      await expectRefused({ path: "/", headers: { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors" } }, 403);
      const page = { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate" };
      expect((await inbox.request({ path: "/", headers: page })).status).toBe(200);
      await expectRefused({ path: "/api/questions", headers: { ...bearer(), ...page } }, 403);
    }
    const { Origin: _, ...without } = approval().headers ?? {};
    await expectRefused({ ...approval(), headers: without }, 403);
    const preflight = { Origin: "https://evil.test", "Access-Control-Request-Method": "POST" };
    await expectRefused({ method: "OPTIONS", path: approval().path ?? "", headers: preflight }, 403);
    expect(await asked.isOpen()).toBe(true);
  });

  it("B8: takes JSON objects of a sensible size, and survives everything else", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "text/plain; application/json", ""])
      await expectRefused({ ...approval(), headers: { ...approval().headers, "Content-Type": type } }, 415);
    const path = `/api/questions/${asked.id}/decision`;
    const wrong = [
      "{",
      "",
      "[]",
      "null",
      '"approve"',
      "{}",
      '{"decision":"approve"}',
      '{"__proto__":{"decision":"approve"}}',
      '{"decision":"maybe","shown":null}',
      '{"decision":{"option":"never offered"},"shown":null}',
      '{"decision":true,"shown":null}',
      `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    ];
    for (const body of wrong) await expectRefused(fromPage(path, body), [400, 409]);
    for (const feedback of [undefined, "", "  ", "\n\t"])
      await expectRefused(fromPage(path, { decision: "reject", shown, feedback }), 400);
    await expectRefused(fromPage(path, { decision: "approve", shown, feedback: "x".repeat(2 * 1024 * 1024) }), 413);
    for (const text of ["", "  ", 1, null, {}])
      await expectRefused(fromPage(`/api/questions/${asked.id}/comments`, { text }), 400);
    for (const line of [0, -1, 1.5, "1", 1e300])
      await expectRefused(fromPage(`/api/questions/${asked.id}/comments`, { text: "x", path: "plan.md", line }), 400);
    expect(await asked.isOpen()).toBe(true);
  });

  it("B8: tells nothing and does nothing without a token that counts", async () => {
    const { id } = asked;
    const reads = [
      "/api/questions",
      `/api/questions/${id}`,
      `/api/questions/${id}/files/0`,
      "/api/me",
      "/api/channels",
      "/api/live",
    ];
    const expired = inbox.tokenOf({ hoursAgo: 13 });
    const revoked = inbox.access.signIn(inbox.access.makeLink("x").link, "x");
    inbox.access.signOut(revoked.device);
    const { Authorization: _, ...headers } = approval().headers ?? {};
    const wrong = [
      "",
      "Bearer",
      "Bearer ",
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}x`,
      `Basic ${token}`,
      token,
    ];
    for (const value of [...wrong, `Bearer ${expired}`, `Bearer ${revoked.token}`]) {
      for (const path of reads) await expectRefused({ path, headers: { Authorization: value } }, 401);
      await expectRefused({ ...approval(), headers: { ...headers, Authorization: value } }, 401);
    }
    for (const path of reads) await expectRefused({ path }, 401);
    await expectRefused({ path: `/api/questions?token=${token}&access_token=${token}` }, 401);
    await expectRefused(
      { path: "/api/questions", headers: { Cookie: `babysitter.token=${token}; token=${token}` } },
      401,
    );
    await expectRefused({ ...approval(), headers }, 401);
    expect(await asked.isOpen()).toBe(true);
  });

  it("B8: a link signs in once; guesses do not", async () => {
    const { link } = inbox.access.makeLink("x");
    const signIn = (body: object): Sent => fromPage("/api/sign-in", body, { Authorization: "" });
    const first = await inbox.request(signIn({ link, name: "Firefox" }));
    expect([first.status, first.json()]).toMatchObject([200, { token: expect.any(String) as string }]);
    for (const body of [
      { link, name: "again" },
      { link: "made up", name: "x" },
      { link: "", name: "x" },
    ])
      await expectRefused(signIn(body), [400, 401]);
    for (const body of [{}, { link: 1, name: "x" }, { link: { length: 5 }, name: "x" }])
      await expectRefused(signIn(body), 400);
  });

  it("B8: shows the files that were asked about, as they were then, and no others", async () => {
    const { id } = asked;
    const { files } = (await get(`/api/questions/${id}`)).json() as { files: { n: number; refused?: string }[] };
    expect(files.map(({ refused }) => refused !== undefined)).toEqual([false, true, true, true, true, true]);
    expect((await get(`/api/questions/${id}/files/0`)).json()).toMatchObject({ text: "# Plan\n" });
    const places = ["1", "2", "3", "4", "5", "6", "-1", "0x0", "1e0", "plan.md", "..%2f..", "%00", "0/../1"];
    for (const place of places) {
      const reply = await get(`/api/questions/${id}/files/${place}`);
      expect([place, reply.status >= 400]).toEqual([place, true]);
      expect(reply.text).not.toMatch(/private|KEY=1|root:/u);
      expectGuarded(reply);
    }
    for (const from of ["-1", "x", "1e300", "99999999999999999999"])
      expect((await get(`/api/questions/${id}/files/0?from=${from}`)).status).toBeGreaterThanOrEqual(400);
    for (const name of ["..%2f..%2fetc", "%00", "effect-", "a".repeat(5_000), "__proto__", "%E0%A4%A"])
      expect((await get(`/api/questions/${name}`)).status).toBeGreaterThanOrEqual(400);
  });

  it("B8: serves its own files and no others", async () => {
    const index = await inbox.request({ path: "/" });
    expect([index.status, index.headers["content-type"]]).toEqual([200, expect.stringContaining("text/html")]);
    expect(index.headers["cache-control"]).toBe("no-store");
    expectGuarded(index);
    const script = /src="(?<path>\/assets\/[^"]+\.js)"/u.exec(index.text)?.groups?.["path"] ?? "none";
    const asset = await inbox.request({ path: script });
    expect([asset.status, asset.headers["cache-control"]]).toEqual([200, expect.stringContaining("immutable")]);
    expectGuarded(asset);
    expect((await inbox.request({ path: "/somewhere/else" })).text).toBe(index.text);
    const tries = [
      "/assets/../../package.json",
      "/assets/..%2f..%2fpackage.json",
      "/..%2f..%2f..%2fpackage.json",
      "/main.tsx",
      "/assets/%2e%2e/%2e%2e/main.js",
      "/assets/..\\..\\main.js",
      "/assets/x%00.js",
      "/package.json",
      "/.env",
      "/assets/",
      "/assets",
      "/assets/%E0%A4%A",
    ];
    for (const path of tries) {
      const reply = await inbox.request({ path });
      const isPage = reply.status === 200 && reply.text === index.text;
      expect([path, isPage || (reply.status >= 400 && reply.status < 500)]).toEqual([path, true]);
      expectGuarded(reply);
    }
    for (const method of ["PUT", "DELETE", "PATCH", "TRACE"])
      await expectRefused({ method, path: "/", headers: { Origin: inbox.origin } }, [400, 403, 404, 405, 415]);
  });

  it("B8: is heard on this machine only", async () => {
    const others = Object.values(os.networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, address }) => !internal && !address.startsWith("fe80"));
    for (const { address } of others) expect([address, await canConnect(address)]).toEqual([address, false]);
  });

  it("B5: of fifty contradictory decisions at once one counts, and the others are shown which", async () => {
    const question = await inbox.ask({ question: "Now?" });
    const detail = (await get(`/api/questions/${question.id}`)).json();
    const path = `/api/questions/${question.id}/decision`;
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const decision = n % 2 === 0 ? "approve" : "reject";
        return inbox.request(fromPage(path, { decision, feedback: `no. ${n}`, shown: detail["shown"] }));
      }),
    );
    const winners = replies.filter(({ status }) => status === 200).map((reply) => reply.json()["question"]);
    expect(winners).toHaveLength(1);
    const [{ decision }] = winners as [{ decision: { approved: boolean; feedback: string } }];
    const losers = replies.filter(({ status }) => status === 409);
    expect(losers).toHaveLength(49);
    for (const loser of losers) expect(loser.json()).toMatchObject({ question: { decision } });
    expect(await question.told()).toMatchObject({ approved: decision.approved, feedback: decision.feedback });
  });
});

function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = net.connect({ host: "127.0.0.1", port: inbox.port }, () => socket.write(text));
    socket.on("data", (piece) => pieces.push(piece));
    socket.on("close", () => resolve(Buffer.concat(pieces).toString("latin1")));
    socket.on("error", reject);
  });
}

function canConnect(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port: inbox.port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
