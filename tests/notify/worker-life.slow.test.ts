/** The worker beside a server, without one, and with everything in its way. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { breakpoints } from "../fixtures/breakpoints/inbox-server.js";
import { recordRun } from "../fixtures/cli/recorded-runs.js";
import { FakeWebhook } from "../fixtures/notify/fake-webhook.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";
import { until } from "../fixtures/processes.js";

async function scened(settings: object = {}): Promise<{ scene: NotifyScene; webhook: FakeWebhook }> {
  const scene = new NotifyScene(settings);
  const webhook = await FakeWebhook.start("webhook");
  scene.enable("webhook", { url: webhook.url });
  return { scene, webhook };
}

describe("the worker as a program of its own", () => {
  it("B3: sends beside a server that leaves it to others, with an index beside DB_PATH, until it is told to end", async () => {
    const { scene, webhook } = await scened();
    const env = { DB_PATH: path.join(scene.project.root, "db", "breakpoints.db") };
    const server = await scene.start({ env, args: ["--no-worker"] });
    const browser = await server.signIn();
    const workerOf = async (): Promise<unknown> => (await browser.get("/api/channels")).json()["worker"];
    const id = await scene.ask("run-1");
    while ((await browser.read<{ open: number }>("/api/questions")).open !== 1);
    expect([scene.receipts(id), webhook.messages.length]).toEqual([[], 0]);
    const worker = scene.startWorker(env);
    await scene.receipt(id, "accepted");
    while ((await workerOf()) !== "elsewhere");
    expect(fs.readdirSync(path.join(scene.project.root, "db")).filter((name) => !/-(?:wal|shm)$/u.test(name))).toEqual([
      "breakpoints.db",
      "breakpoints.db.worker",
    ]);
    const second = scene.startWorker(env);
    await second.says("Another worker sends notifications");
    await worker.kill("SIGTERM");
    expect(worker.exitCode).toBe(0);
    await second.says("webhook: open, to 127.0.0.1");
    await scene.receipt(await scene.ask("run-2"), "accepted");
    await second.kill("SIGTERM");
    expect([second.exitCode, webhook.messages.length]).toEqual([0, 2]);
    expect(`${worker.printed}${second.printed}`).not.toContain("s3cr3t");
  }, 60_000);

  it("B3: says what is wrong with its variables", async () => {
    const { scene } = await scened();
    for (const [command, name, value] of [
      ["worker", "WORKER_POLL_MS", "often"],
      ["start", "WORKER_BATCH_SIZE", "0"],
    ] as const) {
      const done = await breakpoints(scene.project, [command, "--port", "0", "--api-port", "0"], { [name]: value });
      expect([done.code, done.stderr]).toEqual([
        2,
        expect.stringMatching(new RegExp(`^${name} is a number from`, "u")),
      ]);
    }
  }, 60_000);

  it("B3: one message at a time, if told so, and still all of them", async () => {
    const scene = new NotifyScene();
    const kinds = ["webhook", "slack", "discord"] as const;
    const services = await Promise.all(kinds.map((kind) => FakeWebhook.start(kind)));
    for (const [n, kind] of kinds.entries()) scene.enable(kind, { url: services[n]?.url ?? "" });
    scene.startWorker({ WORKER_BATCH_SIZE: "1" });
    for (let n = 0; n < 5; n += 1) await scene.accepted(await scene.ask(`run-${n}`));
    expect(services.map(({ messages }) => messages.length)).toEqual([5, 5, 5]);
  }, 60_000);
});

describe("runs that need a person", () => {
  it("B9: a run that has failed is told, one that was cancelled is not", async () => {
    const { scene, webhook } = await scened();
    await scene.start();
    const at = new Date().toISOString();
    await recordRun(scene.project.runsDir, "stopped", { at, end: "cancelled" });
    await recordRun(scene.project.runsDir, "broken", { at, end: "failed" });
    const [message] = await webhook.shows(1);
    expect(message?.document).toMatchObject({
      kind: "trouble",
      heading: "A run needs you",
      items: [{ title: "A run has failed", subject: `run:broken@${Date.parse(at)}` }],
    });
    await scene.ask("run-1");
    await webhook.shows(2);
    expect(webhook.messages.map(({ document }) => document["kind"])).toEqual(["trouble", "questions"]);
  }, 60_000);
});

describe("what is in the way", () => {
  it("B9: an outbox that cannot be written to: nothing is sent, the server lives, and all is sent afterwards", async () => {
    const { scene, webhook } = await scened();
    const server = await scene.start();
    await scene.receipt(await scene.ask("run-1"), "accepted");
    const file = path.join(scene.home, "inbox", "outbox.jsonl");
    fs.renameSync(file, `${file}.away`);
    fs.mkdirSync(file);
    await scene.ask("run-2");
    await until(() => server.log.includes("outbox.jsonl"));
    const browser = await server.signIn();
    while ((await browser.read<{ open: number }>("/api/questions")).open !== 2);
    // It looks twenty times a second, and says each thing once.
    for (let read = 0; read < 50; read += 1) await browser.read("/api/questions");
    const complaints = server.log.match(/ \S[^\n]*outbox\.jsonl[^\n]*/gu) ?? [];
    expect([webhook.messages.length, complaints.length - new Set(complaints).size]).toEqual([1, 0]);
    fs.rmdirSync(file);
    fs.renameSync(`${file}.away`, file);
    await webhook.shows(2);
    expect(webhook.messages.map(({ document }) => JSON.stringify(document["items"]).includes("run-2?"))).toEqual([
      false,
      true,
    ]);
  }, 60_000);

  it("channels and settings that are damaged: nothing is sent, until they are right again", async () => {
    const { scene, webhook } = await scened();
    const server = await scene.start();
    const good = fs.readFileSync(scene.channels.file, "utf8");
    const config = path.join(scene.project.home, ".config", "babysitter", "config.json");
    const settings = fs.readFileSync(config, "utf8");
    for (const [file, text, n] of [
      [scene.channels.file, good, 1],
      [config, settings, 2],
    ] as const) {
      fs.writeFileSync(file, "{ half");
      await until(() => server.log.includes(path.basename(file)));
      await scene.ask(`run-${n}`);
      fs.writeFileSync(file, text);
      await webhook.shows(n);
    }
    scene.channels.enable("pigeon" as "ntfy", scene.channels.all().webhook as never);
    await scene.ask("run-3");
    expect(await webhook.shows(3)).toHaveLength(3);
  }, 60_000);

  it("B3: SIGTERM while a service hangs: the server ends soon, and what was being sent is in doubt", async () => {
    const { scene, webhook } = await scened();
    const server = await scene.start();
    webhook.faults.always("hang");
    const id = await scene.ask("run-1");
    await webhook.service.asked(1);
    await server.kill("SIGTERM");
    expect([server.exitCode, scene.receipts(id)]).toMatchObject([
      0,
      [{ state: "unknown", why: expect.stringContaining("was stopped") as string }],
    ]);
    webhook.faults.back();
    scene.startWorker();
    await until(() => webhook.messages.length === 1);
    expect(webhook.messages[0]?.document).toMatchObject({ repeat: true });
  }, 60_000);
});
