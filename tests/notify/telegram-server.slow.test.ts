/** The whole way: a real server with its worker, a Telegram on loopback, and a phone. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { FakeTelegram } from "../fixtures/notify/fake-telegram.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";

const OPEN_CHANNELS = new URL("../../packages/breakpoints/dist/channels/open-channels.js", import.meta.url);

/** A server whose person has bound their chat. */
async function boundScene(telegram: FakeTelegram): Promise<{ scene: NotifyScene; log: () => string }> {
  const scene = new NotifyScene();
  scene.enable("telegram", telegram.settings());
  const server = await scene.start({ env: { TELEGRAM_DEBUG: "1" } });
  telegram.phone.start(scene.chats.makeLink("telegram").link);
  await telegram.phone.message(/This chat is bound/u);
  return { scene, log: () => server.log };
}

describe("Telegram in a real server", () => {
  it("B4 B9: a question arrives, a tap decides it, the receipt says so, and the message is changed", async (test) => {
    const telegram = await FakeTelegram.start(test);
    const { scene, log } = await boundScene(telegram);
    const id = await scene.ask("run-1", "Shall it go out?");
    const message = await telegram.phone.message(/1 · Shall it go out\?/u);
    await scene.receipt(id, "accepted");
    const secrets = [telegram.token, ...message.buttons.map(({ data }) => data)];
    const tap = telegram.phone.tap(message, "Approve");
    expect((await telegram.phone.toast(tap)).text).toBe("Approved by you, via Telegram.");
    expect(await scene.receipt(id, "acknowledged")).toMatchObject({ channel: "telegram", why: "a button" });
    await telegram.until(() => message.edits > 0);
    expect(message.buttons).toEqual([]);
    const [resolved] = scene.project.events("run-1", "EFFECT_RESOLVED");
    expect(JSON.stringify(resolved)).toMatch(/"via":"telegram"/u);
    expect(log()).toMatch(/telegram: heard \d+: a tap from 42/u);
    for (const secret of secrets) expect(log()).not.toContain(secret);
  });

  it("B4 B9: what is decided elsewhere is said in the message, and no second one comes", async (test) => {
    const telegram = await FakeTelegram.start(test);
    const { scene } = await boundScene(telegram);
    await scene.ask("run-1", "Shall it go out?");
    const message = await telegram.phone.message(/1 · Shall it go out\?/u);
    await scene.decide("run-1");
    await telegram.until(() => message.edits > 0, "the message to be changed");
    expect(message.text).toMatch(/The question is answered[^]*approved/iu);
    expect(message.buttons).toEqual([]);
    expect(telegram.phone.messages().filter(({ text }) => /Shall it go out/u.test(text))).toHaveLength(1);
  });

  it("B4: grammY is not loaded where nobody uses Telegram", () => {
    const script = `import { createRequire } from "node:module";
      const { openChannels } = await import(${JSON.stringify(OPEN_CHANNELS.href)});
      const record = { since: "", fields: [], files: false, topics: [], settings: { url: "http://127.0.0.1:9/", token: "x" } };
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("/grammy/"));
      await openChannels({ webhook: record }, () => ({ record }));
      const before = loaded();
      await openChannels({ telegram: record }, () => ({ record, desk: { env: {} } }));
      console.log(before, loaded());`;
    const args = ["--input-type=module", "--eval", script];
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    expect(execFileSync(process.execPath, args, { encoding: "utf8", cwd })).toBe("false true\n");
  });
});
