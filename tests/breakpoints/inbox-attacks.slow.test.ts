/** What others would like to do with the inbox, by requests that a browser or a program can send. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../packages/breakpoints/src/index/open-database.js";
import { MACHINE_HEADERS, PAGE_HEADERS } from "../../packages/breakpoints/src/rules/response-headers.js";
import { InboxScene } from "../fixtures/breakpoints/inbox-scene.js";
import type { Reply, Request } from "../fixtures/breakpoints/inbox-server.js";

const scene = new InboxScene({
  "plan.md": "plan",
  ".env": "KEY=1",
  "credentials.json": "{}",
  "p.mjs": `export async function process(inputs, ctx) { return ctx.breakpoint({ question: "?" }); }`,
});
const { project } = scene;

const send = (request: Request): Promise<Reply> => scene.server.request({ port: scene.server.uiPort, ...request });

/** What the questions of these tests show, by their ids. */
const shown = new Map<string, string | null>();

async function ask(payload: object): Promise<string> {
  const id = await scene.ask(payload);
  shown.set(id, (await scene.detail(id)).shown);
  return id;
}

/** Everything that a right decision has; the attack changes one thing. */
function decision(id: string, changes: Record<string, string | undefined> = {}): Request {
  const headers = { ...scene.browser.headers, "Content-Type": "application/json", ...changes };
  const kept = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const body = JSON.stringify({ decision: "approve", shown: shown.get(id) });
  return { method: "POST", path: `/api/questions/${id}/decision`, headers: Object.fromEntries(kept), body };
}

function expectGuarded({ headers }: Reply): void {
  for (const [name, value] of Object.entries(PAGE_HEADERS))
    expect([name, headers[name.toLowerCase()]]).toEqual([name, value]);
  expect(headers["access-control-allow-origin"]).toBeUndefined();
  expect(headers["set-cookie"]).toBeUndefined();
}

describe("what the inbox refuses", () => {
  it("requests of other pages, under whatever name, with a good token: refused, and nothing happens", async () => {
    const id = await ask({ question: "Attacked?" });
    const { uiPort } = scene.server;
    const right = `localhost:${uiPort}`;
    const wrongHosts = [
      "evil.test",
      `evil.test:${uiPort}`,
      `localhost.evil.test:${uiPort}`,
      `127.0.0.1.nip.io:${uiPort}`,
    ];
    const ownNames = [`127.0.0.1:${uiPort}`, `[::1]:${uiPort}`];
    const strange = [
      "localhost",
      `localhost:${uiPort + 1}`,
      `0.0.0.0:${uiPort}`,
      `${right}.`,
      `evil@${right}`,
      `${right}, evil.test`,
    ];
    const origins = [
      "https://evil.test",
      "null",
      `https://${right}`,
      "http://localhost",
      `http://localhost:${scene.server.port}`,
      "http://localhost:5173",
      `http://127.0.0.1:${uiPort}`,
      `http://${right}.evil.test`,
      `http://${right}/`,
      `http://${right}, http://${right}`,
    ];
    const attacks: [Request, number][] = [
      ...[...wrongHosts, ...ownNames, ...strange].map((Host): [Request, number] => [decision(id, { Host }), 421]),
      ...origins.map((Origin): [Request, number] => [decision(id, { Origin }), 403]),
      [decision(id, { Origin: undefined }), 403],
      ...["cross-site", "same-site", "none", "nonsense"].map((site): [Request, number] => [
        decision(id, { "Sec-Fetch-Site": site }),
        403,
      ]),
      [decision(id, { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" }), 403],
      ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain; application/json"].map(
        (type): [Request, number] => [decision(id, { "Content-Type": type }), 415],
      ),
      [decision(id, { "Content-Type": undefined }), 415],
      [{ ...decision(id, { Origin: "https://evil.test" }), method: "OPTIONS" }, 403],
      [{ ...decision(id), method: "PUT" }, 404],
    ];
    for (const [request, status] of attacks) {
      const reply = await send(request);
      expect([request, reply.status]).toEqual([request, status]);
      expectGuarded(reply);
    }
    expect(await scene.detail(id)).toMatchObject({ state: "open" });
    expect((await send(decision(id, { Host: right.toUpperCase() }))).status).toBe(200);
  });

  it("other pages read nothing: neither the interface nor the files, but may have a link to a page", async () => {
    const { origin } = scene.server;
    const { Authorization = "" } = scene.browser.headers;
    const foreign = { "Sec-Fetch-Site": "cross-site" };
    const refused: Request[] = [
      { path: "/api/questions", headers: { Authorization, ...foreign, "Sec-Fetch-Mode": "cors" } },
      { path: "/api/questions", headers: { Authorization, ...foreign, "Sec-Fetch-Mode": "navigate" } },
      { path: "/%61pi/questions", headers: { Authorization, ...foreign, "Sec-Fetch-Mode": "navigate" } },
      { path: "/api/live", headers: { Authorization, Origin: "https://evil.test" } },
      { path: "/", headers: { ...foreign, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script" } },
      { path: "/", headers: { ...foreign, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" } },
      { path: "/", headers: { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors" } },
    ];
    for (const request of refused) {
      const reply = await send(request);
      expect([request, reply.status]).toEqual([request, 403]);
      expectGuarded(reply);
    }
    const navigate = { ...foreign, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
    for (const target of ["/", "/questions/x", "/history", "/sign-in"]) {
      const page = await send({ path: target, headers: navigate });
      expect([target, page.status, page.headers["content-type"]]).toEqual([target, 200, "text/html; charset=utf-8"]);
      expectGuarded(page);
    }
    const moved = await send({
      path: "/questions/x?a=1",
      headers: { ...navigate, Host: `127.0.0.1:${scene.server.uiPort}` },
    });
    expect([moved.status, moved.headers.location]).toEqual([308, `${origin}/questions/x?a=1`]);
    expectGuarded(moved);
    const odd = await send({ path: "//evil.test/", headers: { Host: `[::1]:${scene.server.uiPort}` } });
    expect(new URL(odd.headers.location ?? "").host).toBe(new URL(origin).host);
  });

  it("files of the pages, and no others, are served; what has a changing name may be kept", async () => {
    const { text } = await send({ path: "/" });
    const [, script = ""] = /src="([^"]+\.js)"/u.exec(text) ?? [];
    const asset = await send({ path: script.replace(/^\.?\/?/u, "/") });
    expect([asset.status, asset.headers["content-type"], asset.headers["cache-control"]]).toEqual([
      200,
      "text/javascript; charset=utf-8",
      "public, max-age=31536000, immutable",
    ]);
    for (const target of [
      "/../package.json",
      "/..%2fpackage.json",
      "/assets/../../main.js",
      "/assets/%2e%2e/%2e%2e/main.js",
      "/assets/..\\..\\main.js",
      "/main.js",
      "/.env",
      "/assets/none.js",
      "/%00.js",
      "/%E0%A4%A.js",
      "/etc/passwd.txt",
    ]) {
      const reply = await send({ path: target });
      expect([target, [400, 404].includes(reply.status)]).toEqual([target, true]);
      expectGuarded(reply);
    }
  });

  it("files that a question must not show are not shown, whatever is asked for", async () => {
    fs.writeFileSync(project.path("..", "outside.txt"), "private");
    fs.symlinkSync("/etc/passwd", project.path("link.txt"));
    fs.symlinkSync("/etc", project.path("folder"));
    const files = [
      ".env",
      "credentials.json",
      "../outside.txt",
      "/etc/passwd",
      "link.txt",
      "folder/passwd",
      "folder",
      "plan.md\0",
    ];
    const id = await ask({ question: "Show?", context: { files } });
    const question = await scene.detail(id);
    expect(question.files.map(({ path }) => path)).toEqual(files);
    for (const { n, refused, path } of question.files) {
      expect([path, refused]).toEqual([path, expect.any(String)]);
      const reply = await scene.browser.get(`/api/questions/${id}/files/${n}`);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(reply.text).not.toMatch(/private|KEY=1|root:/u);
    }
  });

  it("bodies that are no JSON, too long or too deep are refused without a stack, and the server lives", async () => {
    const id = await ask({ question: "Still there?" });
    for (const [body, status] of [
      ["{", 400],
      ["", 400],
      ["[]", 400],
      ["null", 400],
      [`{"decision":"approve","shown":null,"feedback":"${"x".repeat(2 * 1024 * 1024)}"}`, 413],
      [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
      ['{"__proto__":{"decision":"approve","shown":null}}', 400],
    ] as const) {
      const reply = await send({ ...decision(id), body });
      expect([body.slice(0, 40), reply.status]).toEqual([body.slice(0, 40), status]);
      expect(reply.text).not.toMatch(/\bat .*\.js|node:|\/packages\//u);
      expectGuarded(reply);
    }
    for (const odd of ["..%2f..%2fetc", "%00", "effect-", "a".repeat(5_000), "__proto__", "%E0%A4%A", "constructor"]) {
      const reply = await send({ path: `/api/questions/${odd}`, headers: scene.browser.headers });
      expect([odd, [400, 404].includes(reply.status)]).toEqual([odd, true]);
    }
    expect(await scene.detail(id)).toMatchObject({ state: "open" });
  });

  it.each([
    ["no Host", "POST %s HTTP/1.0\r\n"],
    ["no Host in HTTP 1.1", "POST %s HTTP/1.1\r\n"],
    ["an empty Host", "POST %s HTTP/1.1\r\nHost:\r\n"],
    ["two Hosts, the wrong one first", "POST %s HTTP/1.1\r\nHost: evil.test\r\nHost: localhost:%p\r\n"],
    ["two Hosts, the right one first", "POST %s HTTP/1.1\r\nHost: localhost:%p\r\nHost: evil.test\r\n"],
    ["two Origins", "POST %s HTTP/1.1\r\nHost: localhost:%p\r\nOrigin: http://localhost:%p\r\n"],
    ["a whole address as a target", "POST http://localhost:%p%s HTTP/1.1\r\nHost: localhost:%p\r\n"],
  ])("%s: refused by both listeners", async (_, head) => {
    const id = await ask({ question: "Raw?" });
    const { server, browser } = scene;
    const rest = `Origin: ${server.origin}\r\nAuthorization: Bearer ${browser.token}\r\nContent-Type: application/json\r\n`;
    const body = '{"decision":"approve","shown":null,"release":true}';
    for (const [port, target] of [
      [server.uiPort, `/api/questions/${id}/decision`],
      [server.port, `/api/breakpoints/${id}/feedback`],
    ] as const) {
      const text = head.replaceAll("%s", target).replaceAll("%p", String(port));
      const reply = await server.raw(
        `${text}${rest}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        port,
      );
      expect(reply).toMatch(/^HTTP\/1\.1 4(?:00|03|21) /u);
    }
    expect(await scene.detail(id)).toMatchObject({ state: "open" });
  });

  it.each([
    ["no request at all", "TEA PLEASE\r\n\r\n", 400],
    [
      "a target with backslashes",
      "GET /assets/..\\..\\main.js HTTP/1.1\r\nHost: localhost:%p\r\nConnection: close\r\n\r\n",
      400,
    ],
    ["a header that is none", "GET / HTTP/1.1\r\nHost: localhost:%p\r\nno colon\r\n\r\n", 400],
    ["two lengths", "POST / HTTP/1.1\r\nHost: localhost:%p\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nHost: localhost:%p\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["headers without an end", `GET / HTTP/1.1\r\nHost: localhost:%p\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 431],
    ["more behind what cannot be read", `TEA\r\n\r\n${"x".repeat(1024 * 1024)}`, 400],
    ["an expectation", "GET / HTTP/1.1\r\nHost: localhost:%p\r\nExpect: tea\r\n\r\n", 417],
  ])("%s: the answer of both listeners is guarded, whoever makes it", async (_, text, status) => {
    for (const [port, headers] of [
      [scene.server.uiPort, PAGE_HEADERS],
      [scene.server.port, MACHINE_HEADERS],
    ] as const) {
      const head = (await scene.server.raw(text.replaceAll("%p", String(port)), port)).split("\r\n\r\n", 1)[0];
      const [first, ...lines] = (head as string).split("\r\n").map((line) => line.toLowerCase());
      expect(first).toContain(`http/1.1 ${status} `);
      for (const [name, value] of Object.entries(headers)) expect(lines).toContain(`${name}: ${value}`.toLowerCase());
    }
  });

  it("a refusal arrives while a body of 1 MB is still being sent, and is not lost with the connection", async () => {
    const { server, browser } = scene;
    const id = await scene.ask({ question: "Heard?" });
    const right = { Host: `localhost:${server.uiPort}`, ...browser.headers, "Content-Type": "application/json" };
    const machine = { Host: `localhost:${server.port}`, "Content-Type": "application/json" };
    const decide = `/api/questions/${id}/decision`;
    const feedback = `/api/breakpoints/${id}/feedback`;
    for (const [port, target, headers, bytes, status] of [
      [server.uiPort, decide, { ...right, Origin: "https://evil.test" }, MB, 403],
      [server.uiPort, decide, { ...right, Host: "evil.test" }, MB, 421],
      [server.uiPort, decide, { ...right, "Content-Type": "text/plain" }, MB, 415],
      [server.uiPort, decide, right, 3 * MB, 413],
      [server.port, feedback, { ...machine, Origin: "https://evil.test" }, MB, 403],
      [server.port, feedback, machine, 3 * MB, 413],
    ] as const) {
      const lines = Object.entries({ ...headers, "Content-Length": String(bytes) }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      const head = `POST ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
      expect(await sendBehindAnswer(port, head, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\}\\}$`, "su"));
    }
    const chunked = { ...decision(id, { "Transfer-Encoding": "chunked" }), body: Buffer.alloc(3 * MB, "x") };
    expect((await send(chunked)).status).toBe(413);
  });

  it("what an agent writes into the index decides nothing", async () => {
    const id = await ask({ question: "Index?" });
    await scene.list();
    const { database } = openDatabase(`${project.home}/.a5c/inbox/index.db`, { isOwnPlace: true });
    database
      .prepare("UPDATE questions SET decided = 1, row = replace(row, '\"open\"', '\"approved\"') WHERE id = ?")
      .run(id);
    database.close();
    expect(await scene.detail(id)).toMatchObject({ state: "open", decision: null });
  });

  it.skipIf(process.getuid?.() !== 0)("another user of this machine is not heard, where the system tells", async () => {
    const url = `http://localhost:${scene.server.uiPort}/`;
    const program = `require("node:http").get("${url}", (r) => process.exit(r.statusCode === 200 ? 0 : 2)).on("error", () => process.exit(3))`;
    const codeOf = async (uid: number): Promise<unknown> => {
      const [code] = await once(spawn(process.execPath, ["-e", program], { uid, cwd: "/", env: {} }), "exit");
      return code;
    };
    expect([await codeOf(0), await codeOf(65_534)]).toEqual([0, 3]);
  });

  it("nothing is heard but on this machine, by both addresses", async () => {
    expect((await send({ path: "/", address: "::1" })).status).toBe(200);
    const others = Object.values(os.networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, address }) => !internal && !address.startsWith("fe80"));
    for (const { address } of others) expect(await canConnect(address, scene.server.uiPort)).toBe(false);
  });
});

const MB = 1024 * 1024;

/** Sends the body when the answer has begun to come; answers all of it, once the server has closed the connection. */
async function sendBehindAnswer(port: number, head: string, bytes: number): Promise<string> {
  const socket = net.connect({ host: "127.0.0.1", port });
  const pieces: Buffer[] = [];
  socket.on("data", (piece) => pieces.push(piece));
  const ended = once(socket, "end");
  socket.write(head);
  await once(socket, "data");
  const piece = Buffer.alloc(64 * 1024, "x");
  for (let sent = 0; sent < bytes; sent += piece.length)
    await new Promise<void>((resolve, reject) => {
      socket.write(piece, (error) => (error == null ? resolve() : reject(error)));
    });
  await ended;
  return Buffer.concat(pieces).toString("latin1");
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
