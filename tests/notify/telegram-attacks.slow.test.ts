/** Whoever is not the bound person in their private chat decides nothing, learns nothing, and is in the log. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { ProcessContext } from "../../packages/sdk/src/replay/process-context.js";
import { ALL_HOSTILE } from "../fixtures/browser/hostile-markup.js";
import { HOSTILE, problemsIn } from "../fixtures/hostile-text.js";
import type { ShownMessage } from "../fixtures/notify/fake-telegram.js";
import { type AskedQuestion, TelegramScene } from "../fixtures/notify/telegram-scene.js";

interface Attack {
  act: (scene: TelegramScene, message: ShownMessage, question: AskedQuestion) => unknown;
  /** The bound person themselves is told why nothing happens. */
  explained?: RegExp;
  /** In the log; there is none where the bound person is answered. */
  logged?: RegExp;
}

const approveButton = ({ buttons }: ShownMessage): string =>
  buttons.find(({ label }) => label === "Approve")?.data ?? "";
const BOUND = /not the bound one/u;

const ATTACKS: Record<string, Attack> = {
  "a stranger's tap on the same button": {
    act: ({ telegram }, message) => telegram.someone(666, "eve").press(message, approveButton(message)),
    logged: BOUND,
  },
  "a tap by another account that has taken the handle": {
    act: ({ telegram }, message) => telegram.someone(667, "mia").press(message, approveButton(message)),
    logged: BOUND,
  },
  "a text of another account that has taken the handle": {
    act: ({ telegram }, message) => telegram.someone(667, "mia").reply(message, "yes"),
    logged: BOUND,
  },
  "another user in the private chat": {
    act: ({ telegram }, message) => {
      const chat = { id: 42, type: "private" };
      telegram.someone(668).say("yes", { chat });
      telegram.someone(668).press(message, approveButton(message), {
        message: { ...telegram.asSent(42, message), chat },
      });
    },
    logged: BOUND,
  },
  "the bound person in a group": {
    act: ({ phone, telegram }, message) =>
      phone.sayInGroup(-100, "yes", { reply_to_message: telegram.asSent(-100, message) }),
    logged: /supergroup/u,
  },
  "a tap in a group": {
    act: ({ phone, telegram }, message) => {
      const shown = { ...telegram.asSent(-100, message), chat: { id: -100, type: "group" } };
      phone.press(message, approveButton(message), { message: shown });
    },
    logged: /group/u,
  },
  "a tap on a message of another private chat": {
    act: ({ phone, telegram }, message) =>
      phone.press(message, approveButton(message), { message: telegram.asSent(43, message) }),
    logged: BOUND,
  },
  "a post of a channel": {
    act: ({ telegram, phone }) => telegram.deliver({ channel_post: phone.written({ text: "yes" }) }),
    logged: /channel_post/u,
  },
  "an edited message": {
    act: ({ telegram, phone }) => telegram.deliver({ edited_message: phone.written({ text: "/start x" }) }),
    logged: /edited_message/u,
  },
  "an edited reply": {
    act: ({ telegram, phone }, message) =>
      telegram.deliver({
        edited_message: phone.written({ text: "yes", reply_to_message: telegram.asSent(42, message) }),
      }),
    logged: /edited_message/u,
  },
  "a bot that calls itself like the person": {
    act: ({ telegram }, message) => {
      telegram.phone.press(message, approveButton(message), { from: { id: 42, is_bot: true, first_name: "Mia" } });
    },
    logged: /from a bot/u,
  },
  "an update that is not one": {
    act: ({ telegram }) => {
      telegram.deliver({ callback_query: null, message: [] });
      telegram.deliver({ callback_query: { id: 7, data: {} } });
      telegram.deliver({ message: { from: { id: "42" }, chat: { id: "42", type: "private" }, text: "yes" } });
      telegram.deliver({ "<b>\u001b[2J": {} });
    },
    logged: /is not read/u,
  },
  "a forwarded message": { act: ({ phone }) => phone.forward("yes"), explained: /Forwarded messages are ignored/u },
  "a forwarded message that is a reply": {
    act: ({ phone, telegram }, message) =>
      phone.say("approve", {
        forward_origin: { type: "hidden_user", sender_user_name: "x", date: 1 },
        reply_to_message: telegram.asSent(42, message),
      }),
    explained: /Forwarded messages are ignored/u,
  },
  "a message made by another bot": {
    act: ({ phone }, message) => phone.reply(message, "yes", { via_bot: { id: 1, is_bot: true, first_name: "x" } }),
    explained: /Forwarded messages are ignored/u,
  },
  "“yes”": { act: ({ phone }) => phone.say("yes"), explained: /Text alone decides nothing/u },
  "“NO!”": { act: ({ phone }) => phone.say("NO!"), explained: /Text alone decides nothing/u },
  "“ok” as a reply": { act: ({ phone }, message) => phone.reply(message, "ok"), explained: /Nothing is decided yet/u },
  "“list” as a reply": { act: ({ phone }, message) => phone.reply(message, "list"), explained: /waiting for you/u },
  "“Approve” as a text": { act: ({ phone }) => phone.say("Approve"), explained: /Text alone decides nothing/u },
  "“/approve 1”": { act: ({ phone }) => phone.say("/approve 1"), explained: /Text alone decides nothing/u },
  "a text that nobody can read": {
    act: ({ phone }, message) => phone.reply(message, "\u200b\u2800\u{e0041}"),
    explained: /That message is empty/u,
  },
  "a sticker as a reply": {
    act: ({ telegram, phone }, message) =>
      telegram.deliver({ message: phone.written({ sticker: {}, reply_to_message: telegram.asSent(42, message) }) }),
    explained: /Only text can be an answer/u,
  },
};

describe("attacks", () => {
  it.each(Object.entries(ATTACKS))("B4: %s decides nothing", async (_, { act, explained, logged }) => {
    const scene = await TelegramScene.bound({ onTestFinished });
    const question = await scene.ask("Ship it?");
    const message = await scene.notify(question);
    const [before, changes] = [scene.telegram.calls.length, scene.logs.length];
    act(scene, message, question);
    await scene.hear();
    expect(await scene.decisions(question)).toEqual([]);
    expect((await scene.look(question.id)).comments).toEqual([]);
    const said = scene.telegram.calls.slice(before).filter(({ method }) => method !== "getUpdates");
    expect(said.map(({ method }) => method)).toEqual(explained === undefined ? [] : ["sendMessage"]);
    expect(scene.phone.last().text).toMatch(explained ?? /A question is waiting for you/u);
    const lines = scene.logs.slice(changes);
    expect(lines.join("\n")).toMatch(logged ?? /^$/u);
    expect(problemsIn(lines.join("\n"))).toEqual([]);
  });

  const OLD: Record<string, Attack["act"]> = {
    "of a question that was decided": async (scene, message, question) => {
      const { shown } = await scene.look(question.id);
      await scene.questions.decide(question.id, { decision: "reject", feedback: "No", shown }, { kind: "local" });
      return scene.phone.press(message, approveButton(message));
    },
    "that nobody has made": (scene, message) => scene.phone.press(message, "A".repeat(24)),
    "with nothing in it": (scene, message) => scene.phone.press(message, ""),
    "with far too much in it": (scene, message) => scene.phone.press(message, "x".repeat(100_000)),
    "with hostile text in it": (scene, message) => scene.phone.press(message, HOSTILE),
    "that is the name of a note": (scene, message) => scene.phone.press(message, "numbers"),
    "of a chat that was forgotten and bound again": async (scene, message) => {
      scene.desk.chats.forget("telegram");
      scene.phone.start(scene.desk.chats.makeLink("telegram").link);
      await scene.hear();
      return scene.phone.press(message, approveButton(message));
    },
  };

  it.each(Object.entries(OLD))("B4: an old button %s decides nothing, and the tap is told so", async (_, act) => {
    const scene = await TelegramScene.bound({ onTestFinished });
    const question = await scene.ask("Ship it?");
    const message = await scene.notify(question);
    const tap = (await act(scene, message, question)) as string;
    await scene.hear();
    const { text, alert } = await scene.phone.toast(tap);
    expect(text).toMatch(/This button has expired|Already rejected/u);
    expect(alert).toBe(true);
    expect((await scene.decisions(question)).filter(({ approved }) => approved)).toEqual([]);
  });

  it("B4: a button of a question that is asked again shows the new one, and decides nothing", async (test) => {
    const scene = await TelegramScene.bound(test);
    // Nobody looks at the answer, so the run fails.
    const process = async (_: never, ctx: ProcessContext): Promise<void> => void (await ctx.breakpoint("Ship it?"));
    const question = await scene.ask(undefined, { process });
    const message = await scene.notify(question);
    const { shown } = await scene.look(question.id);
    await scene.questions.decide(question.id, { decision: "reject", feedback: "No", shown }, { kind: "local" });
    await scene.askAgain(question);
    expect((await scene.look(question.id)).state).toBe("open");
    const tap = scene.phone.press(message, approveButton(message));
    await scene.hear();
    expect((await scene.phone.toast(tap)).text).toMatch(/The question has changed\. Here is/u);
    expect(scene.phone.last().replyTo).toBe(message.id);
    expect((await scene.look(question.id)).state).toBe("open");
    scene.phone.tap(scene.phone.last(), "Approve");
    await scene.hear();
    expect(await scene.look(question.id)).toMatchObject({ state: "approved", by: "@mia", via: "telegram" });
  });

  it("B4: updates that come again, or in the wrong order, are dealt with once and in order", async (test) => {
    const scene = await TelegramScene.bound(test);
    const message = await scene.notify(await scene.ask("Ship it?"));
    scene.telegram.shuffle();
    scene.phone.say("help");
    scene.phone.reply(message, "because");
    await scene.hear();
    expect(
      scene.phone
        .messages()
        .slice(-2)
        .map(({ text }) => text.split("\n")[0]),
    ).toEqual(["list – the questions waiting for you", "You wrote:"]);
    const sent = scene.telegram.callsOf("sendMessage").length;
    const again = scene.hear();
    await scene.telegram.idle();
    scene.telegram.replay();
    expect(await again).toEqual([]);
    expect(scene.telegram.callsOf("sendMessage")).toHaveLength(sent);
    expect(scene.logs.at(-1)).toMatch(/repeated updates/u);
  });

  it("B4: whoever writes without end does not fill the log", async (test) => {
    const scene = await TelegramScene.bound(test);
    const eve = scene.telegram.someone(666, "eve");
    for (let n = 0; n < 120; n += 1) eve.say(`hello ${n}`);
    while (!scene.telegram.isIdle && (await scene.hear()).length === 50);
    const lines = scene.logs.filter((line) => /666/u.test(line));
    expect(lines.length).toBeLessThanOrEqual(3);
    expect(eve.messages()).toEqual([]);
  });
});

describe("text of others", () => {
  /** What acts in any way, and what looks as if it were ours without being marked as a quotation. */
  const problemsOf = ({ text, html }: ShownMessage): string[] => [
    ...problemsIn(text).filter((problem) => problem.startsWith("acts:")),
    ...problemsIn(html.replaceAll(/<blockquote>.*?<\/blockquote>/gsu, "")),
  ];

  const ENDLESS = { entities: "&<>\"'".repeat(5_000), emoji: `${"x".repeat(1_999)}${"😀".repeat(4_000)}` };

  it.each(Object.entries({ HOSTILE, ALL_HOSTILE, ...ENDLESS }))(
    "B4: %s is shown, or cut, in every message, acts in none, and is never refused",
    async (_, text) => expectHarmless(text),
  );

  /** Everywhere that the text of a question gets to, the service takes it and it is nothing but text. */
  async function expectHarmless(text: string): Promise<void> {
    const fields = ["title", "question", "run", "project", "link", "options", "risk"] as const;
    const scene = await TelegramScene.bound({ onTestFinished }, { record: { fields: [...fields], files: true } });
    const options = [text, `${text} 2`];
    const payload = {
      question: text,
      title: text,
      options,
      consequences: { approve: text, reject: text },
      [text]: text,
    };
    const question = await scene.ask(payload);
    const rows = scene.open().map((row) => ({ ...row, title: text }));
    const message = scene.outgoing(rows);
    const [item] = message.items;
    if (item === undefined) throw new Error("There is no question.");
    const details = fields.map((name) => ({ name, text }));
    const signal = AbortSignal.timeout(20_000);
    await scene.channel.send(
      { ...message, lines: ["What follows is not ours:", `| ${text}`], items: [{ ...item, details }] },
      signal,
    );
    await scene.channel.send(
      {
        ...message,
        subjects: [item.subject, "question:another"],
        items: [
          { ...item, details },
          { ...item, outcome: text },
        ],
      },
      signal,
    );
    scene.phone.say("list");
    scene.phone.say("preview 1");
    scene.phone.say(`file 1 ${text.replaceAll(/\s/gu, " ")}`.trim());
    scene.phone.reply(scene.phone.last(), text);
    await scene.hear();
    const messages = scene.phone.messages();
    expect(messages.length).toBeGreaterThan(5);
    expect(scene.logs.filter((line) => /was not sent|not made|could not/u.test(line))).toEqual([]);
    for (const one of messages) {
      expect(problemsOf(one)).toEqual([]);
      expect(one.tags.filter((tag) => !["b", "i", "code", "blockquote"].includes(tag))).toEqual([]);
      expect(one.linkPreview).toBe(false);
      expect(one.html.length).toBeLessThanOrEqual(4_096);
      for (const { label } of one.buttons) expect(problemsIn(label)).toEqual([]);
    }
    expect(await scene.decisions(question)).toEqual([]);
  }
});
