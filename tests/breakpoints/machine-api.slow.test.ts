/** The interface for programs, as programs on this machine use it, and as others would like to. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { breakpoints, InboxServer, type Reply, type Request } from "../fixtures/breakpoints/inbox-server.js";
import { Project } from "../fixtures/project.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

const ASKING = `export async function process(inputs, ctx) {
  const { approved, feedback, option, response, comments } = await ctx.breakpoint(
    { question: "Ship it?", options: ["later"], context: { files: ["plan.md"] }, ...inputs },
    { onReject: "return" },
  );
  return { approved, feedback, option, response, comments };
}
`;

const root = makeTempDir();
const project = new Project({ "p.mjs": ASKING, "plan.md": "# Plan\n", ".env": "KEY=1" }, "project", root);
let server: InboxServer;
let runs = 0;

beforeAll(async () => {
  server = await InboxServer.startForFile(project, { env: { REPO_ROOT: project.dir } });
});
afterAll(async () => {
  await server.kill();
  removeTempDir(root);
});

/** A run that has asked. */
class Asked {
  readonly runId: string;
  readonly id: string;

  private constructor(runId: string, id: string) {
    this.runId = runId;
    this.id = id;
  }

  static async begin(more: string[] = [], inputs: object = {}): Promise<Asked> {
    runs += 1;
    const runId = `asked-${runs}`;
    await project.create("p.mjs#process", runId, ["--inputs", JSON.stringify(inputs), ...more]);
    await project.ask(["run:iterate", runId]);
    const { tasks } = await project.ask(["task:list", runId, "--pending"]);
    return new Asked(runId, tasks[0]?.effectId ?? "");
  }

  post(verb: string, document: unknown): Promise<Reply> {
    return server.post(`/api/breakpoints/${this.id}/${verb}`, document);
  }

  /** What the process was told; undefined while it waits. */
  async told(): Promise<unknown> {
    return (await project.ask(["run:iterate", this.runId])).output;
  }

  isOpen(): Promise<boolean> {
    return project.ask(["task:list", this.runId, "--pending"]).then(({ tasks }) => tasks.length === 1);
  }
}

describe("programs on this machine", () => {
  it("B1 B5: list, show, comment and release exactly as the plugin document's curl does; the run goes on", async () => {
    const asked = await Asked.begin();
    const { id } = asked;
    expect((await server.get("/api/breakpoints")).json()).toMatchObject({
      breakpoints: [{ breakpointId: id, question: "Ship it?", projectRoot: project.dir, state: "open" }],
    });
    const shown = (await server.get(`/api/breakpoints/${id}`)).json();
    expect(shown).toMatchObject({ question: "Ship it?", files: [{ path: "plan.md", text: "# Plan\n" }] });
    expect((await server.get(`/api/breakpoints/${id}/context?path=plan.md`)).text).toBe("# Plan\n");
    expect((await asked.post("feedback", { author: "admin", comment: "Why now?" })).json()).toMatchObject({
      state: "open",
      comments: 1,
    });
    expect(await asked.isOpen()).toBe(true);
    const released = await server.post(
      `/api/breakpoints/${id}/feedback`,
      { author: "admin", comment: "Approved", release: true },
      { "User-Agent": "curl/8.5.0", Accept: "*/*" },
    );
    expect(released.json()).toMatchObject({ state: "approved", outcome: "committed", result: { verified: false } });
    expect(await asked.told()).toMatchObject({
      approved: true,
      feedback: "Approved",
      comments: [{ text: "Why now?", author: "admin" }],
    });
    expect((await server.get("/api/breakpoints")).json()).toMatchObject({ breakpoints: [] });
    expect((await server.get("/api/breakpoints?status=all")).json()).toMatchObject({
      breakpoints: [{ breakpointId: id, state: "approved" }],
    });
  });

  it.each<[string, string, object, object]>([
    ["a rejection with its reason", "reject", { reason: "no rollback" }, { approved: false, feedback: "no rollback" }],
    ["an option", "feedback", { option: "later" }, { approved: true, option: "later" }],
    ["words", "feedback", { release: true, response: "no" }, { approved: true, response: "no" }],
    ["a question that is given up", "cancel", {}, { approved: false, feedback: "The question was cancelled." }],
    ["a question whose time is over", "expire", { reason: "2h" }, { approved: false, feedback: "expired: 2h" }],
  ])("B1 B5: the run receives exactly %s", async (_, verb, body, told) => {
    const asked = await Asked.begin();
    expect((await asked.post(verb, body)).status).toBe(200);
    expect(await asked.told()).toMatchObject(told);
  });

  it("B1: of fifty contradictory decisions at once one counts, and the others are told which", async () => {
    const asked = await Asked.begin();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0
          ? asked.post("feedback", { author: `yes-${n}`, release: true, comment: `${n}` })
          : asked.post("reject", { author: `no-${n}`, reason: `${n}` }),
      ),
    );
    const [winner, ...others] = replies.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const { respondedBy } = (winner as Reply).json()["result"] as { respondedBy: string };
    const losers = replies.filter(({ status }) => status === 409);
    expect(losers).toHaveLength(49);
    for (const loser of losers) expect(loser.text).toContain(`by ${respondedBy}`);
  });

  it("a run of an agent's session, and high risk, are not decided without an identity; comments are taken", async () => {
    for (const asked of [await Asked.begin(["--session-id", "s1"]), await Asked.begin([], { risk: "high" })]) {
      for (const [verb, body] of [
        ["feedback", { release: true }],
        ["reject", { reason: "no" }],
        ["cancel", {}],
        ["expire", {}],
      ] as const) {
        const reply = await asked.post(verb, body);
        expect([reply.status, reply.json()]).toMatchObject([403, { error: { code: "DECISION_NOT_ALLOWED" } }]);
      }
      expect((await asked.post("feedback", { comment: "hello" })).status).toBe(200);
      expect(await asked.isOpen()).toBe(true);
    }
  });

  it("B1: a question of its own is asked with its files, and its run ends when it is decided", async () => {
    const asking = { question: "Deploy?", context: { files: ["plan.md"] } };
    const asked = await server.post("/api/breakpoints", asking);
    expect(asked.status).toBe(201);
    const { breakpointId, runId } = asked.json() as { breakpointId: string; runId: string };
    expect((await server.get(`/api/breakpoints/${breakpointId}`)).json()).toMatchObject({
      question: "Deploy?",
      files: [{ text: "# Plan\n" }],
    });
    const wrong = [{}, { question: " " }, { question: 1 }, { ...asking, project: "/nowhere" }];
    for (const body of wrong) expect((await server.post("/api/breakpoints", body)).status).toBe(400);
    await server.post(`/api/breakpoints/${breakpointId}/feedback`, { release: true });
    expect(await project.ask(["run:status", runId])).toMatchObject({ state: "completed" });
  });
});

describe("what the interface for programs refuses", () => {
  it("every request that a page could send, under whatever name, and nothing happens", async () => {
    const asked = await Asked.begin();
    const { id } = asked;
    const right = `localhost:${server.port}`;
    const release = { method: "POST", path: `/api/breakpoints/${id}/feedback`, body: '{"release":true}' };
    const json = { "Content-Type": "application/json" };
    const hosts = [
      "evil.test",
      `evil.test:${server.port}`,
      `localhost.evil.test:${server.port}`,
      `127.0.0.1.nip.io:${server.port}`,
    ];
    const attacks: [Request, number][] = [
      ...[
        ...hosts,
        "localhost",
        `localhost:${server.port + 1}`,
        `0.0.0.0:${server.port}`,
        `${right}.`,
        `evil@${right}`,
      ].map((Host): [Request, number] => [{ ...release, headers: { ...json, Host } }, 421]),
      ...["https://evil.test", "null", `http://${right}`, "http://localhost:5173"].map((Origin): [Request, number] => [
        { ...release, headers: { ...json, Origin } },
        403,
      ]),
      ...["cross-site", "same-site", "same-origin", "none"].map((site): [Request, number] => [
        { ...release, headers: { ...json, "Sec-Fetch-Site": site } },
        403,
      ]),
      [
        {
          method: "OPTIONS",
          path: release.path,
          headers: { Origin: "https://evil.test", "Access-Control-Request-Method": "POST" },
        },
        403,
      ],
      ...[
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/plain; application/json",
        "application/jsonp",
      ].map((type): [Request, number] => [{ ...release, headers: { "Content-Type": type } }, 415]),
      [release, 415],
      [{ method: "POST", path: `/api/breakpoints/${id}/cancel` }, 415],
      [{ method: "POST", path: `/api/breakpoints/${id}/expire`, headers: { "Content-Type": "text/plain" } }, 415],
      [{ path: release.path, headers: {} }, 404],
    ];
    for (const [request, status] of attacks) {
      const reply = await server.request(request);
      expect([request, reply.status]).toEqual([request, status]);
      expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
      expect(reply.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(reply.headers["content-type"]).toContain("application/json");
    }
    expect(await asked.isOpen()).toBe(true);
    expect((await server.request({ ...release, headers: { ...json, Host: right.toUpperCase() } })).status).toBe(200);
  });

  it("bodies that are wrong get an answer that says so, without a stack, and the server lives", async () => {
    const asked = await Asked.begin();
    const bodies: [string, unknown, number][] = [
      ["feedback", "{", 400],
      ["feedback", "", 400],
      ["feedback", "[]", 400],
      ["feedback", "null", 400],
      ["feedback", JSON.stringify({ release: "yes" }), 400],
      ["feedback", JSON.stringify({ release: 1 }), 400],
      ["feedback", JSON.stringify({ comment: { $ne: 1 } }), 400],
      ["feedback", JSON.stringify({ option: "never offered" }), 400],
      ["feedback", "{}", 400],
      ["feedback", JSON.stringify({ response: "blue" }), 400],
      ["feedback", JSON.stringify({ response: "blue", comment: "please" }), 400],
      ["feedback", `{"comment":"${"x".repeat(2 * 1024 * 1024)}"}`, 413],
      ["feedback", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
      ["feedback", `{"comment":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
      ["reject", "{}", 400],
      ["reject", JSON.stringify({ reason: "  " }), 400],
      ["nonsense", "{}", 404],
    ];
    for (const [verb, body, status] of bodies) {
      const reply = await server.request({
        method: "POST",
        path: `/api/breakpoints/${asked.id}/${verb}`,
        headers: { "Content-Type": "application/json" },
        body: body as string,
      });
      expect([verb, String(body).slice(0, 40), reply.status]).toEqual([verb, String(body).slice(0, 40), status]);
      expect(reply.text).not.toMatch(/\bat .*\.js|node:|\/packages\//u);
    }
    expect(await asked.isOpen()).toBe(true);
  });

  it("ids and paths that lead elsewhere lead nowhere", async () => {
    const asked = await Asked.begin([], { context: { files: ["plan.md", ".env", "../outside.txt"] } });
    fs.writeFileSync(project.path("..", "outside.txt"), "private");
    for (const id of ["..%2f..%2fetc", "%00", "effect-", "a".repeat(5_000), "__proto__", "%E0%A4%A"])
      expect((await server.get(`/api/breakpoints/${id}`)).status).toBeGreaterThanOrEqual(400);
    for (const name of [".env", "../outside.txt", "/etc/passwd", "plan.md%00", "", "p.mjs"]) {
      const reply = await server.get(`/api/breakpoints/${asked.id}/context?path=${name}`);
      expect([name, reply.status]).toEqual([name, 403]);
      expect(reply.text).not.toContain("private");
      expect(reply.text).not.toContain("KEY=1");
    }
  });

  it.each([
    ["no Host", "POST %s HTTP/1.0\r\n"],
    ["no Host in HTTP 1.1", "POST %s HTTP/1.1\r\n"],
    ["an empty Host", "POST %s HTTP/1.1\r\nHost:\r\n"],
    ["two Hosts", "POST %s HTTP/1.1\r\nHost: evil.test\r\nHost: localhost:%p\r\n"],
    ["a whole address as a target", "POST http://evil.test%s HTTP/1.1\r\nHost: evil.test\r\n"],
  ])("%s: refused", async (_, head) => {
    const asked = await Asked.begin();
    const body = '{"release":true}';
    const text = head.replace("%s", `/api/breakpoints/${asked.id}/feedback`).replace("%p", String(server.port));
    const reply = await server.raw(
      `${text}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 4(?:00|21) /u);
    expect(await asked.isOpen()).toBe(true);
  });

  it.skipIf(process.getuid?.() !== 0)("another user of this machine is not heard, where the system tells", async () => {
    const program = `require("node:http").get("http://127.0.0.1:${server.port}/health", (r) => process.exit(r.statusCode === 200 ? 0 : 2)).on("error", () => process.exit(3))`;
    const codeOf = async (uid: number): Promise<unknown> => {
      const [code] = await once(spawn(process.execPath, ["-e", program], { uid, cwd: "/", env: {} }), "exit");
      return code;
    };
    expect([await codeOf(0), await codeOf(65_534)]).toEqual([0, 3]);
  });

  it("nothing is heard but on this machine, by both addresses", async () => {
    expect((await server.request({ path: "/health", address: "::1" })).status).toBe(200);
    const others = Object.values(os.networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, address }) => !internal && !address.startsWith("fe80"));
    for (const { address } of others) expect(await canConnect(address, server.port)).toBe(false);
  });
});

describe("babysitter-breakpoints", () => {
  it("start, status and stop say where it is; a second start finds the first; a killed one is not taken for running", async () => {
    const own = new Project();
    expect((await breakpoints(own, ["status", "--json"])).json()).toEqual({ running: false });
    const first = await InboxServer.start(own);
    const status = (await breakpoints(own, ["status", "--json"])).json();
    expect(status).toMatchObject({ running: true, apiPort: first.port, port: first.uiPort, pid: first.pid });
    const second = await breakpoints(own, ["start", "--json"]);
    expect(second.json()).toMatchObject({ pid: first.pid });
    await first.kill();
    expect((await breakpoints(own, ["status", "--json"])).json()).toEqual({ running: false });
    const third = await InboxServer.start(own);
    expect((await breakpoints(own, ["stop"])).stdout).toContain(`process ${third.pid}`);
    expect((await breakpoints(own, ["stop"])).stdout).toContain("No server is running.");
  });

  it("begins its log anew when that has grown long", async () => {
    const own = new Project();
    const log = path.join(own.home, ".a5c", "inbox", "access.jsonl");
    fs.mkdirSync(path.dirname(log), { recursive: true });
    fs.writeFileSync(log, `${"x".repeat(1023)}\n`.repeat(1025));
    await InboxServer.start(own);
    expect(fs.statSync(log).size).toBe(0);
  });

  it("says what is wrong where nothing can be written, and does not stay", async () => {
    const own = new Project();
    fs.writeFileSync(path.join(own.home, ".a5c"), "a file");
    const done = await breakpoints(own, ["start", "--port", "0", "--api-port", "0", "--json"]);
    expect(done.json().error).toMatchObject({ code: "SYSTEM_REFUSED", hint: expect.any(String) as string });
    expect(done.code).not.toBe(0);
  });

  it("a busy port is named with its owner", async () => {
    const taken = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as net.AddressInfo;
    const done = await breakpoints(new Project(), ["start", "--port", "0", "--api-port", String(port)]);
    taken.close();
    expect(done.code).not.toBe(0);
    expect(done.stderr).toContain(`Port ${port} is used by process ${process.pid}`);
    expect(done.stderr).toMatch(
      /choose another port: inbox\.(?:port|apiPort) in ~\/\.config\/babysitter\/config\.json\.$/mu,
    );
    expect(done.stderr).toContain("inbox.apiPort in ~/.config/babysitter/config.json");
  });

  it.each([[["fly"]], [["start", "now"]], [["start", "--api-port", "99999"]], [["start", "--nonsense"]]])(
    "%j is refused with a word on what to do",
    async (args) => {
      const done = await breakpoints(new Project(), args);
      expect([done.code, done.stderr]).toEqual([2, expect.stringContaining("--help")]);
    },
  );
});

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
