import { describe, expect, it } from "vitest";
import { FakeNtfy } from "../fixtures/notify/fake-ntfy.js";
import { FakeWebhook } from "../fixtures/notify/fake-webhook.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";
import { until } from "../fixtures/processes.js";

describe("the worker in the server", () => {
  it("B9: sends what is asked, once; a tap on it counts; what came of it is written into it", async () => {
    const scene = new NotifyScene({ inbox: { publicUrl: "https://inbox.example" } });
    const ntfy = await FakeNtfy.start();
    scene.enable("ntfy", { server: ntfy.url, topic: "to-mia", replyTopic: "from-mia" });
    const server = await scene.start();
    const id = await scene.ask("run-1", "Shall it go out?");
    const phone = ntfy.phone("to-mia");
    const [message] = await phone.shows(1);
    expect(message).toMatchObject({
      title: "A question is waiting for you",
      click: `https://inbox.example/questions/${id}`,
    });
    await scene.receipt(id, "accepted");
    await phone.tap(message as NonNullable<typeof message>);
    expect(await scene.receipt(id, "acknowledged")).toMatchObject({ why: "the action in ntfy", repeated: false });
    await until(() => scene.state().cursors.has("ntfy"));
    await scene.decide("run-1");
    await until(() => phone.shown[0]?.title === "The question is answered");
    expect([phone.shown.length, phone.shown[0]?.message]).toEqual([1, expect.stringContaining("Approved by mia")]);
    // Nothing of what is secret is in the log.
    expect(server.log).toContain("ntfy: sent questions (1)");
    expect(server.log).not.toMatch(/to-mia|from-mia/u);
  });

  it("B3: a service that hangs keeps nobody else waiting; one that is disabled is closed at once", async () => {
    const scene = new NotifyScene();
    const [slack, webhook] = [await FakeWebhook.start("slack"), await FakeWebhook.start("webhook")];
    scene.enable("slack", { url: slack.url });
    await scene.start();
    slack.faults.always("hang");
    const first = await scene.ask("run-1");
    await slack.service.asked(1);
    // Enabled while it runs.
    scene.enable("webhook", { url: webhook.url });
    await until(() =>
      scene.receipts(first).some(({ channel, state }) => channel === "webhook" && state === "accepted"),
    );
    expect(scene.receipts(first).find(({ channel }) => channel === "slack")).toMatchObject({ state: "sending" });
    scene.channels.disable("slack");
    expect(await scene.receipt(first, "unknown")).toMatchObject({
      channel: "slack",
      why: expect.stringMatching(/was stopped/u) as string,
    });
    const second = await scene.ask("run-2");
    await until(() =>
      scene.receipts(second).some(({ channel, state }) => channel === "webhook" && state === "accepted"),
    );
    expect(scene.receipts(second)).toHaveLength(1);
  });

  it("B9: what is decided while the service is down is not sent, and a test is, even in quiet hours", async () => {
    const scene = new NotifyScene();
    const webhook = await FakeWebhook.start("webhook");
    scene.enable("webhook", { url: webhook.url });
    webhook.faults.always("429");
    await scene.start();
    const id = await scene.ask("run-1");
    expect(await scene.receipt(id, "failed")).toMatchObject({
      why: expect.stringContaining("asks to wait") as string,
    });
    await until(() => scene.state().problems.has("webhook"));
    await scene.decide("run-1");
    expect(await scene.receipt(id, "dropped")).toMatchObject({ why: "decided meanwhile" });
    webhook.faults.back();
    scene.settle({ notify: { quietHours: "00:00-23:59" } });
    scene.outbox.note({ type: "QUEUED", channel: "webhook", subject: "test:1", due: new Date().toISOString() });
    const [message] = await webhook.shows(1);
    expect(message?.document).toMatchObject({ kind: "test" });
    await until(() => !scene.state().problems.has("webhook"));
    const quiet = await scene.ask("run-2");
    await scene.receipt(quiet, "queued");
    expect(webhook.messages).toHaveLength(1);
  });
});
