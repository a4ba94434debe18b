/** `babysitter extension`: what people type, what they read, and what is kept of it. */
import fs from "node:fs";
import { describe, it } from "vitest";
import { extensionScene, PERSON, START_LINK } from "../fixtures/notify/extension-scene.js";

describe("enabling Telegram", () => {
  it("B4: with flags asks the bot's name, prints a link that binds once, and says what is sent", async (test) => {
    const { expect } = test;
    const { project, telegram, enable, channels, chats } = await extensionScene(test);
    const { code, stdout, stderr } = await project.run(["extension", ...enable], PERSON);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Telegram is enabled.");
    expect(stdout).toContain("within 10 minutes");
    expect(stdout).toContain("with title, run, project and link (links only once inbox.publicUrl is set); no files.");
    expect(stdout).toContain("babysitter notify:test telegram");
    expect(stdout).not.toContain(telegram.token);
    const [, secret = ""] = START_LINK.exec(stdout) ?? [];
    const chat = { channel: "telegram", user: "42", chat: "42", name: "Mia" };
    expect([chats.bind(secret, chat), chats.bind(secret, { ...chat, chat: "43" })]).toEqual([true, false]);
    expect(channels.all().telegram).toEqual({
      since: expect.any(String) as string,
      fields: ["title", "run", "project", "link"],
      files: false,
      topics: ["questions", "trouble", "report"],
      settings: { token: telegram.token, username: "mia", bot: "sitter_bot", apiRoot: telegram.apiRoot },
    });
    expect(fs.statSync(channels.file).mode & 0o777).toBe(0o600);
  });
});

describe("disabling", () => {
  it("B4: forgets token, binding and what was sent, everywhere, and says so", async (test) => {
    const { expect } = test;
    const { project, telegram, enable, channels, chats, outbox, kept } = await extensionScene(test);
    const { stdout } = await project.run(["extension", ...enable], PERSON);
    const [, secret = ""] = START_LINK.exec(stdout) ?? [];
    chats.bind(secret, { channel: "telegram", user: "42", chat: "42", name: "Mia" });
    outbox.note({ type: "QUEUED", channel: "telegram", subject: "question:q", due: "2026-01-01T00:00:00Z" });
    // What a crash in the middle of a change has left.
    fs.writeFileSync(`${channels.file}.1.tmp`, fs.readFileSync(channels.file));
    expect(kept()).toContain(telegram.token);
    const ended = await project.run(["extension", "disable", "telegram"], PERSON);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain(
      "Forgotten: the token, the chat of Mia, with all its buttons and what was sent there.",
    );
    expect([channels.all(), chats.bound("telegram"), outbox.receipts("question:q")]).toEqual([{}, undefined, []]);
    for (const text of [telegram.token, telegram.token.split(":")[1] ?? "", secret]) expect(kept()).not.toContain(text);
    const again = await project.ask(["extension", "disable", "telegram"], PERSON);
    expect(again).toEqual({ channel: "telegram", enabled: false, forgotten: [] });
  });
});

describe("listing", () => {
  it("B9: shows where each leads to, what it sends, and how it fares, without secrets and to anybody", async (test) => {
    const { expect } = test;
    const { project, telegram, enable, outbox, chats } = await extensionScene(test);
    expect((await project.run(["extension", "list"])).stdout).toContain("No channel is enabled");
    const { stdout } = await project.run(["extension", ...enable], PERSON);
    const unbound = await project.run(["extension", "list"]);
    expect(unbound.stdout).toContain("telegram: no chat yet");
    expect(unbound.stdout).toContain("babysitter extension link telegram");
    expect(unbound.stdout).toContain("Nothing is sent while the inbox is not running.");
    chats.bind((START_LINK.exec(stdout) ?? [])[1] ?? "", {
      channel: "telegram",
      user: "42",
      chat: "42",
      name: "Mia\u001b[31m\nroot",
    });
    const sent = { channel: "telegram", message: "m1", subjects: ["question:q"] };
    outbox.note({ type: "QUEUED", channel: "telegram", subject: "question:q", due: "2026-01-01T00:00:00Z" });
    outbox.note({ type: "SENDING", ...sent, kind: "questions", attempt: 1, repeat: false });
    outbox.note({ type: "FAILED", message: "m1", reason: "the chat is gone", mayHaveArrived: false });
    outbox.note({ type: "CHANNEL_PROBLEM", channel: "telegram", reason: "Telegram says: blocked by the user" });
    const listed = await project.run(["extension", "list"]);
    expect(listed.stdout).toContain("1 given up");
    expect(listed.stdout).toContain("question q: the chat is gone");
    expect(listed.stdout).toContain("Telegram says: blocked by the user");
    expect(listed.stdout).not.toContain("\u001b");
    const document = await project.ask(["extension", "list"]);
    expect(document).toMatchObject({
      isSending: false,
      settings: { remindMinutes: 60 },
      channels: [
        {
          name: "telegram",
          proves: "acknowledged",
          files: false,
          waiting: 0,
          bound: { at: expect.any(String) as string },
          problem: { reason: "Telegram says: blocked by the user" },
          failed: [{ about: "question q", why: "the chat is gone" }],
        },
      ],
    });
    expect(JSON.stringify(document)).not.toContain(telegram.token);
  });
});

describe("whoever is no person at a terminal", () => {
  it("B4: enables, disables and links nothing", async (test) => {
    const { expect } = test;
    const { project, enable, channels, telegram } = await extensionScene(test);
    const refused = [
      [enable, {}],
      [enable, { ...PERSON, env: { CLAUDECODE: "1" } }],
      [["disable", "telegram"], { as: "host" }],
    ] as const;
    for (const [act, how] of refused) {
      const { exit, code } = await project.refuse(["extension", ...act], how);
      expect([act, exit, code]).toEqual([act, 7, "ONLY_FOR_PEOPLE"]);
    }
    expect([channels.all(), telegram.calls]).toEqual([{}, []]);
  });
});
