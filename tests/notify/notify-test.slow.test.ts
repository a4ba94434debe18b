/** `babysitter notify:test`: beside a worker, without a tap, and called in wrong ways. */
import { describe, it } from "vitest";
import { FakeTelegram } from "../fixtures/notify/fake-telegram.js";
import { FakeWebhook } from "../fixtures/notify/fake-webhook.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";

/** What the phone has said is heard once somebody listens. */
function bind({ chats }: NotifyScene, { phone }: FakeTelegram): void {
  phone.start(chats.makeLink("telegram").link);
}

describe("a test notification", () => {
  it("B9: is sent by the worker that runs already, and only once", async (test) => {
    const { expect } = test;
    const scene = new NotifyScene();
    const hook = await FakeWebhook.start("webhook");
    scene.enable("webhook", { url: hook.url });
    const worker = scene.startWorker();
    await worker.says("webhook: open");
    const { code, stdout } = await scene.project.run(["notify:test", "webhook", "--json"], { env: scene.env });
    expect({ code, document: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 0,
      document: {
        outcome: "proved",
        channels: [{ channel: "webhook", outcome: "proved", receipt: { state: "accepted" } }],
      },
    });
    expect(hook.messages.map(({ document }) => document["kind"])).toEqual(["test"]);
    expect(worker.exitCode).toBe(null);
  });

  it("B9: that nobody taps is no success, and is not sent later", async (test) => {
    const { expect } = test;
    const scene = new NotifyScene();
    const telegram = await FakeTelegram.start(test);
    scene.enable("telegram", telegram.settings());
    const env = scene.env;
    const unbound = await scene.project.run(["notify:test", "--timeout", "1s"], { env });
    expect(unbound).toMatchObject({
      code: 11,
      stdout: expect.stringContaining("babysitter extension link telegram") as string,
    });
    const [over] = scene.state().notices.values();
    expect(over).toMatchObject({ channel: "telegram", dropped: { why: "the test was over" } });
    bind(scene, telegram);
    const untapped = await scene.project.run(["notify:test", "--timeout", "2s"], { env });
    expect(untapped).toMatchObject({
      code: 11,
      stdout: expect.stringContaining("Nobody tapped in time.") as string,
    });
    expect(telegram.phone.messages().filter(({ text }) => /A test/u.test(text))).toHaveLength(1);
  });

  it("B9: needs a channel that is enabled", async (test) => {
    const { expect } = test;
    const scene = new NotifyScene();
    const none = await scene.project.refuse(["notify:test"]);
    expect(none).toMatchObject({ exit: 2, code: "CHANNEL_NOT_ENABLED" });
    scene.enable("slack", { url: "http://127.0.0.1:1/" });
    const other = await scene.project.refuse(["notify:test", "telegram"]);
    expect(other).toMatchObject({ exit: 2, code: "CHANNEL_NOT_ENABLED", message: "Telegram is not enabled." });
    for (const args of [
      ["notify:test", "telegrm"],
      ["notify:test", "--timeout", "soon"],
    ])
      expect(await scene.project.refuse(args)).toMatchObject({ exit: 2, code: "USAGE" });
  });
});
