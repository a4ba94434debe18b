/** What is known about a message when Telegram fails, and that its token is never told to anyone. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { Channel } from "../../packages/breakpoints/src/channels/channel.js";
import type { Fault } from "../fixtures/notify/fake-telegram.js";
import { TelegramScene } from "../fixtures/notify/telegram-scene.js";

interface Row {
  fault: Fault;
  problem: { outcome: string; message: RegExp; retryAfterMs?: number };
}

const TOKEN = "7000001:AAF4k3-t0ken_of-the_Fake_Telegram00";
const error = (code: number, more: Partial<Fault & { kind: "error" }> = {}): Fault => ({
  kind: "error",
  code,
  ...more,
});

const ROWS: Record<string, Row> = {
  "401": { fault: error(401), problem: { outcome: "refused", message: /does not accept the bot's token/u } },
  "404": { fault: error(404), problem: { outcome: "refused", message: /does not accept the bot's token/u } },
  "403, blocked": {
    fault: error(403, { description: "Forbidden: bot was blocked by the user" }),
    problem: { outcome: "refused", message: /has blocked the bot/u },
  },
  "403": {
    fault: error(403, { description: "Forbidden: x" }),
    problem: { outcome: "refused", message: /forbids it/u },
  },
  "400": {
    fault: error(400, { description: "Bad Request: chat not found\u001b[2J" }),
    problem: { outcome: "refused", message: /rejected it \(400: Bad Request: chat not found\\x1b\[2J\)/u },
  },
  "400, with the token in its reason": {
    fault: error(400, { description: `Bad Request: ${TOKEN}` }),
    problem: { outcome: "refused", message: /rejected it \(400: Bad Request: <token>\)/u },
  },
  "429": {
    fault: error(429, { retryAfter: 7 }),
    problem: { outcome: "not-sent", message: /asks to wait 7 s/u, retryAfterMs: 7_000 },
  },
  "500": { fault: error(500), problem: { outcome: "answered-with-error", message: /server error \(500\)/u } },
  "502, after it was done": {
    fault: error(502, { after: true }),
    problem: { outcome: "answered-with-error", message: /server error \(502\)/u },
  },
  garbage: { fault: { kind: "garbage" }, problem: { outcome: "in-doubt", message: /is not Telegram/u } },
  "a connection that is cut": {
    fault: { kind: "cut" },
    problem: { outcome: "in-doubt", message: /without answering/u },
  },
  "no answer": { fault: { kind: "hang" }, problem: { outcome: "in-doubt", message: /did not answer/u } },
};

const message = (): Parameters<Channel["send"]>[0] => ({
  id: "m",
  kind: "test",
  repeat: false,
  heading: "A test",
  subjects: ["test:1"],
  items: [],
  lines: [],
});

/** What a promise is rejected with. */
async function problemOf(doing: Promise<unknown>): Promise<{ outcome?: string; message: string; stack?: string }> {
  return doing.then(
    () => {
      throw new Error("It did not fail.");
    },
    (problem: Error & { outcome?: string }) => problem,
  );
}

/** Everything that can be read in an error, also what it carries along. */
function innards(problem: unknown, depth = 5): string {
  if (typeof problem !== "object" || problem === null || depth === 0) return String(problem);
  return Object.getOwnPropertyNames(problem)
    .map((name) => innards((problem as Record<string, unknown>)[name], depth - 1))
    .join("\n");
}

describe("a message that is not sent", () => {
  it.each(Object.entries(ROWS))("B9: %s is what it is, and nothing more is believed", async (_, { fault, problem }) => {
    const scene = await TelegramScene.bound({ onTestFinished });
    scene.telegram.fail("sendMessage", fault);
    const stop = new AbortController();
    const sending = problemOf(scene.channel.send(message(), stop.signal));
    await scene.telegram.until(() => scene.telegram.callsOf("sendMessage").length === 2);
    if (fault.kind === "hang") stop.abort();
    const found = await sending;
    expect(found).toMatchObject({ ...problem, message: expect.stringMatching(problem.message) as string });
    expect(innards(found)).not.toContain(scene.telegram.token);
    scene.telegram.letGo();
  });

  it("B9: a service that is down has not got it, and gets it when it comes back", async (test) => {
    const scene = await TelegramScene.bound(test);
    await scene.telegram.goDown();
    const found = await problemOf(scene.channel.send(message(), AbortSignal.timeout(20_000)));
    expect(found).toMatchObject({
      outcome: "not-sent",
      message: expect.stringMatching(/refused the connection/u) as string,
    });
    expect(innards(found)).not.toContain(scene.telegram.token);
    const polling = await problemOf(scene.channel.poll?.(undefined, AbortSignal.timeout(20_000)) ?? Promise.resolve());
    expect(polling.message).toMatch(/refused the connection/u);
    await scene.telegram.comeBack();
    await scene.channel.send(message(), AbortSignal.timeout(20_000));
    expect(scene.phone.last().text).toContain("A test");
  });

  it("B9: nobody is bound: it waits, and says what to do", async (test) => {
    const scene = await TelegramScene.start(test);
    const found = await problemOf(scene.channel.send(message(), AbortSignal.timeout(20_000)));
    expect(found).toMatchObject({ outcome: "not-sent", message: expect.stringMatching(/extension link/u) as string });
    expect(scene.telegram.calls).toEqual([]);
  });

  it("B9: a worker that stops has not sent what it had not begun, and its poll ends at once", async (test) => {
    const scene = await TelegramScene.bound(test);
    const found = await problemOf(scene.channel.send(message(), AbortSignal.abort()));
    expect(found).toMatchObject({ outcome: "not-sent" });
    const stop = new AbortController();
    expect(scene.telegram.callsOf("getUpdates")).toHaveLength(1);
    const polling = scene.channel.poll?.("500", stop.signal);
    await scene.telegram.until(() => scene.telegram.callsOf("getUpdates").length === 2);
    stop.abort();
    expect(await polling).toEqual([]);
  });

  it("B4: another program that reads the bot's messages, or a webhook, is named as the reason", async (test) => {
    const scene = await TelegramScene.bound(test);
    const first = problemOf(scene.hear());
    await scene.telegram.idle();
    const second = scene.hear();
    expect((await first).message).toMatch(/another program reads this bot's messages \(409\)/u);
    scene.phone.say("help");
    expect(await second).toHaveLength(1);
    scene.telegram.setWebhook("https://elsewhere.test");
    expect((await problemOf(scene.hear())).message).toMatch(/another program's webhook/u);
  });

  it("B4: garbage instead of updates is a problem, not news", async (test) => {
    const scene = await TelegramScene.bound(test);
    scene.telegram.fail("getUpdates", { kind: "garbage" });
    expect((await problemOf(scene.hear())).message).toMatch(/is not Telegram/u);
    scene.phone.say("help");
    expect(await scene.hear()).toHaveLength(1);
  });

  it("B4: a decision stays when everything that would tell of it fails", async (test) => {
    const scene = await TelegramScene.bound(test);
    const asked = await scene.ask("Ship it?");
    scene.phone.tap(await scene.notify(asked), "Approve");
    for (const method of ["answerCallbackQuery", "editMessageText"])
      scene.telegram.fail(method, error(500), Number.POSITIVE_INFINITY);
    await scene.hear();
    expect(await scene.decisions(asked)).toMatchObject([{ approved: true, respondedBy: "@mia" }]);
    expect(scene.logs.filter((line) => /was not/u.test(line))).toHaveLength(2);
  });
});

describe("TELEGRAM_DEBUG", () => {
  it("B4: tells what is heard and sent, without the token, links and what buttons send", async (test) => {
    const scene = await TelegramScene.start(test, { env: { TELEGRAM_DEBUG: "1" } });
    const { link } = scene.desk.chats.makeLink("telegram");
    scene.phone.start(link);
    await scene.hear();
    const shown = await scene.notify(await scene.ask("Ship it?"));
    scene.phone.tap(shown, "Approve");
    await scene.hear();
    const all = scene.logs.join("\n");
    expect(all).toMatch(/heard 500: a message from 42 in private 42: "\/start <link>"/u);
    expect(all).toMatch(/heard 501: a tap from 42 in private 42 on \d+/u);
    expect(all).toMatch(/sent \d+ to 42: /u);
    expect(all).toMatch(/answered a tap: "Approved by you, via Telegram\."/u);
    expect(all).toMatch(/changed \d+ in 42: /u);
    for (const secret of [link, scene.telegram.token, ...shown.buttons.map(({ data }) => data)])
      expect(all).not.toContain(secret);
  });

  it("B4: without it nothing is told of what is said", async (test) => {
    const scene = await TelegramScene.bound(test, { env: { TELEGRAM_DEBUG: "0" } });
    scene.phone.say("something private");
    await scene.hear();
    expect(scene.logs.join("\n")).not.toMatch(/private|heard|sent/u);
  });
});
