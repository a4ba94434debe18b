/** The server stays up, and stays honest, whatever is done to its files, its connections and its disk. */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../packages/breakpoints/src/index/open-database.js";
import type { QuestionList } from "../../packages/breakpoints/src/wire/inbox-wire.js";
import { type Browser, breakpoints, InboxServer } from "../fixtures/breakpoints/inbox-server.js";
import { questionId, writeRun } from "../fixtures/breakpoints/many-questions.js";
import { PersonInbox } from "../fixtures/breakpoints/person-inbox.js";
import { until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";
import { copyRuns } from "../fixtures/runs/copy-runs.js";

/** The record of a process that has ended. */
const ANNOUNCE = `
  const { openDesk } = await import(process.env.OPERATE);
  console.log(JSON.stringify(openDesk().announce({ port: 1, apiPort: 1 })));`;
const OPERATE = fileURLToPath(new URL("../../packages/sdk/dist/operate.js", import.meta.url));

interface Scene {
  project: Project;
  server: InboxServer;
  browser: Browser;
  folder: string;
  list: () => Promise<QuestionList>;
}

async function begin(): Promise<Scene> {
  const project = new Project();
  fs.mkdirSync(project.runsDir, { recursive: true });
  const server = await InboxServer.start(project, { env: { REPO_ROOT: project.dir } });
  const browser = await server.signIn();
  const folder = path.join(project.home, ".a5c", "inbox");
  return { project, server, browser, folder, list: () => browser.read("/api/questions") };
}

async function ask({ server }: Scene, question: string): Promise<string> {
  return (await server.post("/api/breakpoints", { question })).json()["breakpointId"] as string;
}

describe("what was shown", () => {
  it("a decision that names nothing, or something else, decides nothing that shows something", async () => {
    const scene = await begin();
    const id = await ask(scene, "Shown?");
    const { shown } = (await scene.browser.get(`/api/questions/${id}`)).json();
    expect(shown).toMatch(/^[0-9a-f]{64}$/u);
    for (const [named, status] of [
      [null, 409],
      ["", 409],
      ["0".repeat(64), 409],
      [shown, 200],
    ]) {
      const reply = await scene.browser.post(`/api/questions/${id}/decision`, { decision: "approve", shown: named });
      expect([named, reply.status]).toEqual([named, status]);
    }
  });
});

describe("runs that were copied", () => {
  it("every copy beside the original is a question of its own, and a bare id means none of them", async () => {
    const scene = await begin();
    const { runsDir } = scene.project;
    await writeRun(runsDir, { runId: "one", questions: ["Which?"] });
    for (const copy of ["two", "three", "four"]) copyRuns(path.join(runsDir, "one"), path.join(runsDir, copy));
    await expect.poll(async () => (await scene.list()).questions.length, { timeout: 20_000 }).toBe(4);
    const { questions } = await scene.list();
    expect(new Set(questions.map(({ id }) => id)).size).toBe(4);
    expect(questions.map(({ run }) => run.id).toSorted()).toEqual(["four", "one", "three", "two"]);
    const reply = await scene.server.post(`/api/breakpoints/${questionId("one")}/feedback`, { release: true });
    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining("matches 4 questions") as string]);
    expect((await scene.list()).open).toBe(4);
  });
});

describe("its files", () => {
  it.each(["garbage", "null", '{"question":"Lunch?"}'])(
    "rows that somebody else has written, %s, are made again",
    async (row) => {
      const scene = await begin();
      const id = await ask(scene, "Real?");
      await scene.list();
      const { database } = openDatabase(path.join(scene.folder, "index.db"), { isOwnPlace: true });
      database.prepare("UPDATE questions SET row = ?").run(row);
      database.close();
      expect((await scene.list()).questions).toMatchObject([{ id, question: "Real?" }]);
      expect((await scene.browser.get(`/api/questions/${id}`)).status).toBe(200);
    },
  );

  it("tables of another shape are made again", async () => {
    const scene = await begin();
    const id = await ask(scene, "Real?");
    await scene.list();
    const { database } = openDatabase(path.join(scene.folder, "index.db"), { isOwnPlace: true });
    database.exec("DROP TABLE questions; CREATE TABLE questions (id TEXT)");
    database.close();
    expect((await scene.list()).questions).toMatchObject([{ id, question: "Real?" }]);
  });

  it("without a place for what was seen, questions are listed, shown and decided", async () => {
    const scene = await begin();
    const id = await ask(scene, "Seen?");
    fs.mkdirSync(path.join(scene.folder, "seen.jsonl"));
    expect((await scene.list()).questions).toMatchObject([{ id }]);
    const { shown } = (await scene.browser.get(`/api/questions/${id}`)).json();
    const reply = await scene.browser.post(`/api/questions/${id}/decision`, { decision: "approve", shown });
    expect([reply.status, reply.json()]).toMatchObject([200, { outcome: "committed" }]);
  });

  it("a pipe in the place of its record keeps no command waiting", async () => {
    const project = new Project();
    const folder = path.join(project.home, ".a5c", "inbox");
    fs.mkdirSync(folder, { recursive: true });
    execFileSync("mkfifo", [path.join(folder, "server.json")]);
    for (const command of ["status", "stop"])
      expect(await breakpoints(project, [command, "--json"])).toMatchObject({ code: 0, stdout: '{"running":false}\n' });
  });

  it("where a disk becomes full, what is said to be written is written", () => {
    const { home } = new Project();
    const program = `
      const { openDesk } = await import(${JSON.stringify(OPERATE)});
      const { access } = openDesk({ env: { HOME: ${JSON.stringify(home)} } });
      let made = 0;
      try { for (;;) { access.makeLink("mia"); made += 1; } } catch (error) { console.log(made, error.code); }`;
    const limited = ["-c", 'ulimit -f 2 && exec "$0" --input-type=module -e "$1"', process.execPath, program];
    const { stdout } = spawnSync("bash", limited, { encoding: "utf8", timeout: 20_000 });
    const lines = fs.readFileSync(path.join(home, ".a5c", "inbox", "access.jsonl"), "utf8").split("\n");
    const whole = lines.filter((line) => line.endsWith("}"));
    expect(stdout).toBe(`${whole.length} SYSTEM_REFUSED\n`);
  });

  it("goes on where its log cannot be written to", async () => {
    const { project, server, list, folder } = await begin();
    const full = fs.openSync("/dev/full", "w");
    const bin = fileURLToPath(new URL("../../packages/breakpoints/bin/babysitter-breakpoints.mjs", import.meta.url));
    await list();
    await server.kill("SIGTERM");
    const child = spawn(process.execPath, [bin, "start", "--port", "0", "--api-port", "0"], {
      env: { HOME: project.home, PATH: process.env["PATH"], REPO_ROOT: project.dir },
      stdio: ["ignore", full, full],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    fs.closeSync(full);
    const record = path.join(folder, "server.json");
    await until(() => fs.existsSync(record) || child.exitCode !== null);
    const { apiPort } = JSON.parse(fs.readFileSync(record, "utf8")) as { apiPort: number };
    // Losing the index is written to the log.
    fs.rmSync(path.join(folder, "index.db"));
    for (let n = 0; n < 3; n += 1) {
      const answer = await fetch(`http://127.0.0.1:${apiPort}/api/breakpoints`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ question: `Still there ${n}?` }),
      });
      expect(answer.status).toBe(201);
    }
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });
});

describe("its address", () => {
  /** Answers every request with this document; what it was sent. */
  async function squatter(document: () => object): Promise<{ port: number; heard: string[] }> {
    const heard: string[] = [];
    const server = http.createServer((request, response) => {
      heard.push(request.url ?? "");
      response.end(JSON.stringify(document()));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return { port: (server.address() as AddressInfo).port, heard };
  }

  it("no link leads to another port than the server itself says it has", async (test) => {
    const project = new Project();
    const inbox = await PersonInbox.of(project, test);
    await project.run(["ui", "--no-open"], { as: "person" });
    const { port } = await squatter(() => ({}));
    const file = path.join(inbox.folder, "server.json");
    fs.writeFileSync(file, JSON.stringify({ ...inbox.record(), port }));
    const links = (): number => inbox.read("access.jsonl").split("LINK_MADE").length;
    const before = links();
    const { code, stdout, stderr } = await project.run(["ui", "--no-open"], { as: "person" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`Port ${inbox.port} is used by process`);
    expect(links()).toBe(before);
  });

  it("a record of a process that has ended, or that does not say which one it means, ends nobody", async () => {
    const project = new Project();
    const folder = path.join(project.home, ".a5c", "inbox");
    fs.mkdirSync(folder, { recursive: true });
    const victim = spawn("sleep", ["600"]);
    onTestFinished(() => void victim.kill("SIGKILL"));
    const { pid } = victim;
    const { port } = await squatter(() => ({ pid, port: 1 }));
    const ended = execFileSync(process.execPath, ["--input-type=module", "-e", ANNOUNCE], {
      encoding: "utf8",
      env: { ...process.env, HOME: project.home, OPERATE },
    });
    const file = path.join(folder, "server.json");
    // Its number belongs to another process now, which has begun later.
    const earlier = ended.replace(/"startTime":"\d+/u, '"startTime":"1');
    expect(earlier).not.toBe(ended);
    for (const one of [JSON.parse(earlier) as object, { since: "2026-01-20T08:00:00Z" }]) {
      fs.writeFileSync(file, JSON.stringify({ ...one, pid, port: 1, apiPort: port }));
      expect((await breakpoints(project, ["stop", "--json"])).stdout).toBe('{"running":false}\n');
    }
    expect([victim.exitCode, victim.signalCode]).toEqual([null, null]);
  });
});

describe("its connections", () => {
  it.skipIf(process.getuid?.() !== 0)("another user who is gone before anyone looks has said nothing", async () => {
    const scene = await begin();
    const body = JSON.stringify({ question: "Forged?" });
    const head = [
      "POST /api/breakpoints HTTP/1.1",
      `Host: localhost:${scene.server.port}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    const request = JSON.stringify(`${head.join("\r\n")}\r\n\r\n${body}`);
    const leave = (how: string): string =>
      `const s = require("node:net").connect(${scene.server.port}, "127.0.0.1", () => s.write(${request}, () => s.${how}()))`;
    for (const how of ["resetAndDestroy", "destroy"]) {
      // It looks at a connection only after it has gone.
      process.kill(scene.server.pid, "SIGSTOP");
      const [code] = (await once(
        spawn(process.execPath, ["-e", leave(how)], { uid: 65_534, cwd: "/", env: {} }),
        "exit",
      )) as [number];
      process.kill(scene.server.pid, "SIGCONT");
      expect(code).toBe(0);
      expect((await scene.list()).questions).toEqual([]);
    }
    await ask(scene, "Real?");
    expect((await scene.list()).questions.map(({ question }) => question)).toEqual(["Real?"]);
  });

  it("so many that say nothing leave the server within its bounds", async () => {
    const scene = await begin();
    const sockets = Array.from({ length: 600 }, () => net.connect(scene.server.uiPort, "127.0.0.1"));
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    let closed = 0;
    for (const socket of sockets) socket.on("error", () => undefined).on("close", () => void (closed += 1));
    await until(() => closed >= 300);
    expect(fs.readdirSync(`/proc/${scene.server.pid}/fd`).length).toBeLessThan(400);
    for (const socket of sockets) socket.destroy();
    const status = async (): Promise<number> =>
      (await scene.browser.get("/api/me").catch(() => ({ status: 0 }))).status;
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
  });

  it("also what cannot be taken apart is answered with our headers", async () => {
    const { server } = await begin();
    const reply = await server.raw(
      `GET /\\ HTTP/1.1\r\nHost: localhost:${server.uiPort}\r\nConnection: close\r\n\r\n`,
      server.uiPort,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 400 /u);
    expect(reply.toLowerCase()).toContain("content-security-policy: default-src 'none'");
  });
});
