/** What the server tells its pages about notifications, whoever writes to the outbox. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { LiveEvents, QuestionDetail } from "../../packages/breakpoints/src/wire/inbox-wire.js";
import type { ChannelList } from "../../packages/breakpoints/src/wire/notify-wire.js";
import { type Browser, InboxServer } from "../fixtures/breakpoints/inbox-server.js";
import type { LiveReader } from "../fixtures/breakpoints/live-reader.js";
import { minutesFromNow, NO_WORKER, Notified } from "../fixtures/browser/notified.js";
import { Project } from "../fixtures/project.js";

let project: Project;
let server: InboxServer;
let browser: Browser;
let notified: Notified;

beforeEach(async () => {
  project = new Project();
  notified = new Notified(project);
  server = await InboxServer.start(project, { env: { REPO_ROOT: project.dir }, args: NO_WORKER });
  browser = await server.signIn();
});

async function ask(question: string): Promise<string> {
  const { breakpointId } = (await server.post("/api/breakpoints", { question })).json();
  return String(breakpointId);
}

/** The first of these events that fits. */
async function heard<Name extends keyof LiveEvents>(
  stream: LiveReader,
  name: Name,
  fits: (data: LiveEvents[Name]) => boolean = () => true,
): Promise<LiveEvents[Name]> {
  for (;;) {
    const message = await stream.next();
    if (message === undefined) throw new Error("The stream is over.");
    const data = message.data as LiveEvents[Name];
    if (message.event === name && fits(data)) return data;
  }
}

describe("notifications", () => {
  it("B9: channels are described without any secret, also where a service has repeated one", async () => {
    const secrets = ["1:bot-token", "mine-topic", "reply-topic", "T0/B0/hook", "api/webhooks/1/hook", "sign-secret"];
    notified.enable("telegram", { token: "1:bot-token", username: "mia" });
    notified.enable("ntfy", { server: "https://ntfy.example.org", topic: "mine-topic", replyTopic: "reply-topic" });
    notified.enable("slack", { url: "https://user:sign-secret@hooks.slack.com/services/T0/B0/hook" });
    notified.enable("discord", { url: "https://discord.com/api/webhooks/1/hook?token=sign-secret" });
    notified.enable("webhook", { url: "https://example.org/sign-secret", secret: "sign-secret" });
    const reply = await browser.get("/api/channels");
    for (const secret of secrets) expect(reply.text).not.toContain(secret);
    const { channels, settings } = reply.json() as unknown as ChannelList;
    expect(channels.map(({ name, target, proves }) => [name, target, proves])).toEqual([
      ["telegram", expect.any(String), "acknowledged"],
      ["ntfy", "a topic of ntfy.example.org", "acknowledged"],
      ["slack", "hooks.slack.com", "accepted"],
      ["discord", "discord.com", "accepted"],
      ["webhook", "example.org", "accepted"],
    ]);
    expect(channels.map(({ bound }) => bound)).toEqual([null, undefined, undefined, undefined, undefined]);
    expect(settings.reportAt).toBe("07:00");
  });

  it("B9: whoever listens hears of a question's notifications, and of what keeps them from arriving", async () => {
    const id = await ask("Told?");
    const stream = await browser.live();
    expect(await heard(stream, "hello")).toMatchObject({ trouble: null });
    notified.tell(`question:${id}`, "slack", "queued");
    expect(await heard(stream, "notices", ({ questions }) => questions.length > 0)).toEqual({
      questions: [id],
      trouble: null,
    });
    notified.enable("slack", { url: "https://hooks.slack.com/services/x" });
    notified.broken("slack", "status 404");
    const broken = [{ name: "slack", reason: "status 404", since: expect.any(String) as string }];
    const { trouble } = await heard(stream, "notices", (data) => data.trouble?.broken.length === 1);
    expect(trouble).toMatchObject({ broken, waiting: 1 });
    expect(await heard(await browser.live(), "hello")).toMatchObject({ trouble: { broken } });
    notified.works("slack");
    expect(await heard(stream, "notices", (data) => data.trouble?.broken.length !== 1)).toMatchObject({
      questions: [],
    });
  });

  it("B9: what waits for the end of the quiet hours says until when", async () => {
    const id = await ask("At night?");
    const soon = new Date(minutesFromNow(120));
    const time = (date: Date): string => date.toTimeString().slice(0, 5);
    notified.settle({ notify: { quietHours: `${time(new Date(minutesFromNow(-120)))}-${time(soon)}` } });
    notified.tell(`question:${id}`, "ntfy", "queued");
    const { receipts } = await browser.read<QuestionDetail>(`/api/questions/${id}`);
    expect(receipts).toMatchObject([{ channel: "ntfy", state: "queued", why: "quiet hours" }]);
    expect(time(new Date(receipts[0]?.due ?? ""))).toBe(time(soon));
  });

  it("B9: an outbox, channels or settings that cannot be used keep nobody from reading and deciding", async () => {
    const id = await ask("Go on?");
    notified.tell(`question:${id}`, "slack", "accepted");
    const config = path.join(project.home, ".config", "babysitter", "config.json");
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(config, '{ "notify": { "quietHours": 7 } }');
    expect((await browser.read<QuestionDetail>(`/api/questions/${id}`)).receipts).toHaveLength(1);
    fs.rmSync(config);
    notified.enable("slack", { url: "https://hooks.slack.com/services/x" });
    const outbox = path.join(project.home, ".a5c", "inbox", "outbox.jsonl");
    fs.rmSync(outbox);
    fs.mkdirSync(outbox);
    notified.spoilChannels("{");
    const { shown, receipts } = await browser.read<QuestionDetail>(`/api/questions/${id}`);
    expect(receipts).toEqual([]);
    expect(await heard(await browser.live(), "hello")).toMatchObject({
      trouble: { unreadable: expect.stringContaining("channels.json") as string },
    });
    expect((await browser.get("/api/channels")).status).toBeGreaterThanOrEqual(400);
    expect(await browser.post(`/api/questions/${id}/decision`, { decision: "approve", shown })).toMatchObject({
      status: 200,
    });
  });
});
