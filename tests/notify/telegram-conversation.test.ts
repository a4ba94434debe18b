/** What a person can say to the bot: bind their chat, list, preview, files, help. */
import { describe, expect, it } from "vitest";
import type { ShownMessage } from "../fixtures/notify/fake-telegram.js";
import { TelegramScene } from "../fixtures/notify/telegram-scene.js";

const labels = ({ buttons }: ShownMessage): string[] => buttons.map(({ label }) => label);

describe("binding", () => {
  it("B4: plain /start says how, a link binds once, and then the chat gets the list", async (test) => {
    const scene = await TelegramScene.start(test);
    const { phone } = scene;
    const { run } = await scene.ask("Ship it?");
    expect(scene.channel.unready?.()).toMatch(/babysitter extension link telegram/u);
    expect(scene.channel.target).toBe("@sitter_bot, not bound yet");
    phone.start();
    await scene.hear();
    expect(phone.last().text).toContain("babysitter extension link telegram");
    expect(phone.last().buttons).toEqual([]);
    const { link } = scene.desk.chats.makeLink("telegram");
    phone.start(link);
    await scene.hear();
    expect(scene.desk.chats.bound("telegram")).toMatchObject({ user: "42", chat: "42", name: "@mia" });
    expect(phone.last().text).toMatch(/^This chat is bound to @mia\.[^]*1\. Ship it\?/u);
    expect(scene.channel).toMatchObject({ target: "@mia", proves: "acknowledged" });
    expect(scene.channel.unready?.()).toBeUndefined();
    phone.start(link);
    await scene.hear();
    expect(phone.last().text).toMatch(/^This chat is already bound\./u);
    phone.start();
    await scene.hear();
    expect(phone.last().text).toMatch(/^One question is waiting for you\./u);
    expect(phone.last().text).toContain(` · ${(await run.journal()).runId} · `);
  });

  it("B4: a link that was used, is too old or is none is said to be; another account of the same name gets nowhere", async (test) => {
    const scene = await TelegramScene.start(test);
    scene.phone.start("A".repeat(24));
    await scene.hear();
    expect(scene.phone.last().text).toMatch(/already used, or is older than 10 minutes/u);
    expect(scene.desk.chats.bound("telegram")).toBeUndefined();
    const { link } = scene.desk.chats.makeLink("telegram");
    const eve = scene.telegram.someone(666, "eve");
    eve.start(link);
    eve.start(link);
    scene.phone.sayInGroup(-100, `/start ${link}`);
    scene.phone.forward(`/start ${link}`);
    await scene.hear();
    expect(scene.desk.chats.bound("telegram")).toBeUndefined();
    // One line, which says nothing about whose bot it is.
    expect(eve.messages().map(({ text }) => text)).toEqual(["There is nothing here for this account."]);
    expect(scene.telegram.chat(-100)?.messages).toEqual([]);
    scene.phone.start(link);
    await scene.hear();
    expect(scene.desk.chats.bound("telegram")?.user).toBe("42");
    const namesake = scene.telegram.someone(667, "mia");
    namesake.start(link);
    namesake.say("list");
    await scene.hear();
    expect(scene.desk.chats.bound("telegram")?.user).toBe("42");
    expect(namesake.messages().every(({ text }) => !/Ship|bound already/u.test(text))).toBe(true);
    expect(JSON.stringify(scene.logs)).not.toContain(link);
  });

  it("B4: without a name anyone who shows the link is bound; when another chat takes over, the first is told", async (test) => {
    const scene = await TelegramScene.start(test, { settings: { username: "" } });
    const jo = scene.telegram.someone(7);
    jo.start(scene.desk.chats.makeLink("telegram").link);
    await scene.hear();
    expect(scene.desk.chats.bound("telegram")).toMatchObject({ user: "7", name: "User 7" });
    scene.phone.start(scene.desk.chats.makeLink("telegram").link);
    await scene.hear();
    expect(scene.desk.chats.bound("telegram")?.user).toBe("42");
    expect(jo.last().text).toMatch(/Another chat was bound/u);
    jo.say("list");
    await scene.hear();
    expect(jo.last().text).toMatch(/Another chat was bound/u);
  });
});

describe("asking", () => {
  it("B4: numbers stay the same under one's hands, also across a crash and in notifications", async (test) => {
    const scene = await TelegramScene.bound(test);
    const { phone } = scene;
    phone.say("/list");
    await scene.hear();
    expect(phone.last().text).toBe("Nothing is waiting for you.");
    const one = await scene.ask("First?", { at: Date.UTC(2026, 0, 20) });
    const two = await scene.ask("Second?", { at: Date.UTC(2026, 0, 21) });
    phone.say("LIST");
    await scene.hear();
    expect(phone.last().text).toMatch(/2 questions are waiting for you\.[^]*1\. First\?[^]*2\. Second\?/u);
    expect(labels(phone.last())).toEqual(["1 · First?", "2 · Second?"]);
    const { shown } = await scene.look(one.id);
    await scene.questions.decide(one.id, { decision: "approve", shown }, { kind: "local", author: "jo" });
    // It would come first in a list that is made anew.
    const three = await scene.ask("Third?", { at: Date.UTC(2026, 0, 19) });
    expect((await scene.notify(three)).text).toContain("3 · Third?");
    await scene.reopen();
    phone.say("preview 2");
    await scene.hear();
    expect(phone.last().text).toMatch(/^2 · Second\?/u);
    expect(scene.acknowledged.at(-1)).toEqual({ subjects: [`question:${two.id}`], how: "a message" });
    phone.say("preview 1");
    await scene.hear();
    expect(phone.last()).toMatchObject({ buttons: [] });
    expect(phone.last().text).toMatch(/^1 · First\?[^]*Approved by jo, in the inbox\.$/u);
    phone.say("preview 9");
    await scene.hear();
    expect(phone.last().text).toMatch(/^I have not shown you question 9\.[^]*2 questions are waiting/u);
    expect(await scene.decisions(two)).toEqual([]);
    expect(await scene.decisions(three)).toEqual([]);
  });

  it("B4: a number that was never shown, and none at all: the only question is meant, or the list comes", async (test) => {
    const scene = await TelegramScene.bound(test);
    scene.phone.say("preview 1");
    await scene.hear();
    expect(scene.phone.last().text).toMatch(/^I have not shown you question 1\./u);
    await scene.ask("Only one?");
    scene.phone.say("preview");
    await scene.hear();
    expect(scene.phone.last().text).toMatch(/^1 · Only one\?/u);
    await scene.ask("Another?");
    scene.phone.say("preview");
    await scene.hear();
    expect(scene.phone.last().text).toMatch(/^Which one\?/u);
  });

  it("B4: a preview shows everything that one decides by, and says when there is more", async (test) => {
    const scene = await TelegramScene.bound(test);
    const question = `Drop the table?\n\n${"Because. ".repeat(500)}`;
    const consequences = { approve: "all users are gone", reject: "nothing happens" };
    const asked = await scene.ask(
      { question, title: "Drop users", risk: "high", consequences, context: { files: ["plan.md"], rows: 12 } },
      { files: { "plan.md": "# Plan\n" } },
    );
    scene.phone.say("list");
    scene.phone.say("preview 1");
    await scene.hear();
    const { text, buttons } = scene.phone.last();
    for (const part of ["Drop users", "Risk: high", "all users are gone", "nothing happens", "plan.md", "file 1"])
      expect(text).toContain(part);
    expect(text).toContain(`babysitter breakpoint:show ${await asked.run.effectId()}`);
    expect(buttons.map(({ label }) => label)).toEqual(["Approve", "Answer in words…", "Reject…"]);
    scene.phone.tap("Answer in words…");
    await scene.hear();
    scene.phone.reply(await scene.phone.message(/What is your answer/u), "list");
    await scene.hear();
    expect(scene.phone.last().text).toMatch(/^You wrote:\nlist/u);
  });

  it("B4: help, and a hint with the list for any other text", async (test) => {
    const scene = await TelegramScene.bound(test);
    scene.phone.say("help");
    await scene.hear();
    expect(scene.phone.last().text).toMatch(/list[^]*preview 1[^]*file 1[^]*Only buttons decide/u);
    await scene.ask("Ship it?");
    scene.phone.say("approve everything");
    await scene.hear();
    expect(scene.phone.last().text).toMatch(/^Text alone decides nothing\.[^]*1\. Ship it\?/u);
    expect(scene.acknowledged).toEqual([]);
  });

  it("B4: a test message, trouble or a report is acknowledged by its button, or by a reply", async (test) => {
    const scene = await TelegramScene.bound(test);
    const message = { id: "m", kind: "test" as const, repeat: true, heading: "A test", lines: ["Tap it."], items: [] };
    const item = { subject: "run:1@1", title: "A run has failed", details: [] };
    const subjects = ["test:1", "run:1@1"];
    const link = "https://inbox.test/?a=1&b=2";
    await scene.channel.send({ ...message, link, subjects, items: [item] }, AbortSignal.timeout(20_000));
    const sent = scene.phone.last();
    expect(sent.text).toMatch(
      /^A test\nYou may have received this before\.[^]*A run has failed\n\nTap it\.\nOpen the inbox$/u,
    );
    expect(sent.tags).toContain(`a ${link}`);
    const tap = scene.phone.tap("Got it");
    scene.phone.reply(sent, "thanks");
    await scene.hear();
    expect((await scene.phone.toast(tap)).text).toBe("Marked as seen.");
    expect(scene.acknowledged).toEqual([
      { subjects, how: "a button" },
      { subjects, how: "a reply" },
    ]);
  });
});

describe("files", () => {
  const FILES = { "plan.md": "# Plan <b>\n", "src/page.html": "<script>1</script>\n", "secret/.env": "TOKEN=1\n" };
  const payload = { question: "Ship it?", context: { files: ["plan.md", "src/page.html", "secret/.env", "gone.md"] } };

  it("B4: are sent only where that is allowed, and who asks is told how", async (test) => {
    const scene = await TelegramScene.bound(test);
    await scene.ask(payload, { files: FILES });
    scene.phone.say("list");
    scene.phone.say("file 1");
    await scene.hear();
    expect(scene.phone.last().text).toContain("babysitter extension enable telegram --files");
    expect(scene.telegram.callsOf("sendDocument")).toEqual([]);
  });

  it("B4: come as they were when the question was asked, with harmless names; what is refused is said to be", async (test) => {
    const scene = await TelegramScene.bound(test, { record: { files: true } });
    const { run } = await scene.ask(payload, { files: FILES });
    const { default: fs } = await import("node:fs");
    fs.writeFileSync(run.path("plan.md"), "changed since\n");
    scene.phone.say("list");
    scene.phone.say("file 1");
    await scene.hear();
    const documents = scene.phone.messages().flatMap(({ document, text }) => (document ? [{ ...document, text }] : []));
    expect(documents.map(({ name, content }) => [name, content.toString("utf8")])).toEqual([
      ["plan.md", "# Plan <b>\n"],
      ["page.html.txt", "<script>1</script>\n"],
    ]);
    expect(documents[0]?.text).toMatch(/^plan\.md\nas it was when the question was asked; today: changed/u);
    const refusals = scene.phone.messages().filter(({ text }) => text.includes("is not sent"));
    expect(refusals.map(({ text }) => text.split(" ")[0])).toEqual(["secret/.env", "gone.md"]);
    scene.phone.say("file 1 page.html");
    await scene.hear();
    expect(scene.phone.last().document?.name).toBe("page.html.txt");
    scene.phone.say("file 1 ../../../etc/passwd");
    await scene.hear();
    expect(scene.phone.last().text).toMatch(/^It has no file \.\.\/\.\.\/\.\.\/etc\/passwd\. It has:/u);
  });
});
