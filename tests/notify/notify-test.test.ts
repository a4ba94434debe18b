/** `babysitter notify:test`: a real message by each channel, until it is tapped. */
import type { ChildProcess } from "node:child_process";
import { describe, it } from "vitest";
import { FakeNtfy } from "../fixtures/notify/fake-ntfy.js";
import { FakeTelegram } from "../fixtures/notify/fake-telegram.js";
import { FakeWebhook } from "../fixtures/notify/fake-webhook.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";
import { until } from "../fixtures/processes.js";

const TOPICS = { topic: "phone-topic-of-this-test", replyTopic: "reply-topic-of-this-test" };

/** What the phone has said is heard once somebody listens. */
function bind({ chats }: NotifyScene, { phone }: FakeTelegram): void {
  phone.start(chats.makeLink("telegram").link);
}

describe("a test notification", () => {
  it("B9: is sent by each channel, without a server, and ends when every tap is there that can be", async (test) => {
    const { expect } = test;
    const scene = new NotifyScene({ notify: { quietHours: "00:00-23:59" } });
    const [telegram, ntfy, slack] = [
      await FakeTelegram.start(test),
      await FakeNtfy.start(),
      await FakeWebhook.start("slack"),
    ];
    scene.enable("telegram", telegram.settings());
    scene.enable("ntfy", { server: ntfy.url, ...TOPICS });
    scene.enable("slack", { url: slack.url });
    bind(scene, telegram);
    let printed = "";
    const onStart = ({ stdout }: ChildProcess): void =>
      void stdout?.on("data", (piece: string) => void (printed += piece));
    const running = scene.project.run(["notify:test"], { env: scene.env, onStart });
    const message = await telegram.phone.message(/A test/u);
    const [shown] = await ntfy.phone(TOPICS.topic).shows(1);
    await slack.shows(1);
    for (const name of ["Telegram", "ntfy"]) await until(() => printed.includes(`${name} … waiting for your tap`));
    telegram.phone.tap(message, "Got it");
    expect(await ntfy.phone(TOPICS.topic).tap(shown ?? expect.fail("nothing came"))).toBe(200);
    const { code, stdout, stderr } = await running;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const text of [
      "Telegram: accepted by Telegram … waiting for your tap",
      "Telegram: tapped; you can be reached there",
      "ntfy: tapped; you can be reached there",
      "Slack: Slack has accepted it; it cannot tell whether you have seen it",
      "All channels work.",
    ])
      expect(stdout).toContain(text);
    // Each step is told once.
    const lines = stdout.trim().split("\n");
    expect(new Set(lines).size).toBe(lines.length);
  });

  it("B9: that fails says why, without secrets", async (test) => {
    const { expect } = test;
    const scene = new NotifyScene();
    const slack = await FakeWebhook.start("slack");
    scene.enable("slack", { url: slack.url.replace(/[^/]+$/u, "old-secret") });
    const { code, stdout } = await scene.project.run(["notify:test"], { env: scene.env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^Slack: failed: .*404/mu) as string });
    expect(stdout).not.toContain("old-secret");
  });
});
