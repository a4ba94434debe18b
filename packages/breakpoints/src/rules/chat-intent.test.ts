import { describe, expect, it } from "vitest";
import { parseCommand, parseStart } from "./chat-commands.js";
import { type ChatKnowledge, intentOf } from "./chat-intent.js";
import { readUpdate, type SaidUpdate } from "./chat-update.js";

const BOUND: ChatKnowledge = { bound: { user: "42", chat: "42" }, handle: "mia" };
const said = (text: string | undefined, more: Partial<SaidUpdate> = {}): SaidUpdate => ({
  kind: "said",
  from: { id: "42", handle: "mia", name: "@mia", isBot: false },
  chat: { id: "42", type: "private" },
  ...(text === undefined ? {} : { text }),
  isForeign: false,
  ...more,
});
const eve = { from: { id: "7", handle: "eve", name: "@eve", isBot: false }, chat: { id: "7", type: "private" } };
const kindOf = (update: SaidUpdate, known: ChatKnowledge): string => intentOf(update, known).kind;

describe("commands", () => {
  it("B4: are whole messages, in whatever case, with or without a slash", () => {
    for (const text of ["list", " List ", "/list", "/LIST", "/list@sitter_bot"])
      expect(parseCommand(text)).toEqual({ name: "list" });
    expect(parseCommand("Preview 1")).toEqual({ name: "preview", number: 1 });
    expect(parseCommand("/preview  #12")).toEqual({ name: "preview", number: 12 });
    expect(parseCommand("preview")).toEqual({ name: "preview", number: undefined });
    expect(parseCommand("FILE 3 docs/a plan.md")).toEqual({ name: "file", number: 3, path: "docs/a plan.md" });
    expect(parseCommand("file")).toEqual({ name: "file", number: undefined, path: "" });
    expect(parseCommand("/help")).toEqual({ name: "help" });
  });

  it("B4: are nothing else, such as an answer that begins like one", () => {
    for (const text of [
      "list them",
      "no list",
      "yes",
      "NO!",
      "preview 1 please",
      "preview -1",
      "preview 1.5",
      "files 1",
      "",
    ])
      expect(parseCommand(text)).toBeUndefined();
    for (const text of ["start", "/starting", "/start a b", "x /start"]) expect(parseStart(text)).toBeUndefined();
    expect([parseStart("/start"), parseStart("/start@sitter_bot  abc")]).toEqual(["", "abc"]);
  });
});

describe("who is answered", () => {
  it("B4: a link binds only the person who is meant, in their own private chat", () => {
    const start = said("/start abc");
    const free = { handle: "@Mia" };
    expect(intentOf(start, free)).toEqual({ kind: "bind", link: "abc", isBound: false, isExpected: true });
    expect(kindOf({ ...start, ...eve }, free)).toBe("turn-away");
    expect(kindOf({ ...start, from: { id: "42", name: "Mia", isBot: false } }, free)).toBe("turn-away");
    expect(kindOf({ ...start, from: { ...start.from, isBot: true } }, free)).toBe("ignore");
    expect(kindOf({ ...start, chat: { id: "42", type: "group" } }, free)).toBe("ignore");
    expect(kindOf({ ...start, chat: { id: "43", type: "private" } }, free)).toBe("ignore");
    expect(kindOf({ ...start, isForeign: true }, free)).toBe("ignore");
    expect(kindOf({ ...start, ...eve }, {})).toBe("bind");
    expect(intentOf({ ...start, ...eve }, { bound: BOUND.bound })).toMatchObject({ kind: "bind", isExpected: false });
  });

  it("B4: plain /start explains to the person who is meant, lists for the bound one, and turns others away", () => {
    const start = said("/start");
    expect(kindOf(start, { handle: "mia" })).toBe("how-to-bind");
    expect(kindOf({ ...start, ...eve }, {})).toBe("how-to-bind");
    expect(intentOf(start, BOUND)).toEqual({ kind: "command", command: { name: "list" } });
    expect(kindOf({ ...start, ...eve }, BOUND)).toBe("turn-away");
    expect(kindOf({ ...start, ...eve }, { bound: BOUND.bound })).toBe("turn-away");
    // Their handle says who is meant, even while somebody else is bound.
    expect(kindOf(start, { bound: { user: "1", chat: "1" }, handle: "mia" })).toBe("how-to-bind");
  });

  it("B4: nobody else is answered, whatever they write; the bound person always is", () => {
    for (const text of ["list", "preview 1", "yes", "/help", undefined]) {
      expect(kindOf(said(text, eve), BOUND)).toBe("ignore");
      expect(kindOf(said(text, { chat: { id: "-1", type: "supergroup" } }), BOUND)).toBe("ignore");
      expect(kindOf(said(text, { from: eve.from }), BOUND)).toBe("ignore");
      expect(kindOf(said(text), BOUND)).not.toBe("ignore");
    }
    expect(kindOf(said("ok"), BOUND)).toBe("loose");
    expect(kindOf(said("ok", { isForeign: true }), BOUND)).toBe("unusable");
    expect(intentOf(said("list", { replyTo: { message: 3, buttons: [] } }), BOUND)).toMatchObject({
      kind: "reply",
      command: { name: "list" },
    });
  });
});

describe("reading updates", () => {
  it("B4: takes nothing for a message that is not one", () => {
    const user = { id: 42, first_name: "Mia" };
    const broken: unknown[] = [
      null,
      [],
      "x",
      { update_id: 1 },
      { update_id: 1, message: { text: "yes" } },
      { update_id: 1, message: { from: user, chat: { id: 42 } } },
      { update_id: 1, message: { from: { id: 4.2 }, chat: { id: 42, type: "private" } } },
      { update_id: 1, callback_query: { id: "1", from: user, data: "x" } },
      { update_id: 1, callback_query: { id: "1", from: user, data: "x", inline_message_id: "y" } },
      { update_id: 1, edited_message: { from: user, chat: { id: 42, type: "private" }, text: "yes" } },
    ];
    for (const update of broken) expect(readUpdate(update).kind).toBe("other");
  });

  it("keeps what a reply is about, and who has written it", () => {
    const update = {
      update_id: 1,
      message: {
        from: { id: 42, first_name: "Mia", last_name: "M" },
        chat: { id: 42, type: "private" },
        text: "yes",
        reply_to_message: {
          message_id: 9,
          reply_markup: { inline_keyboard: [[{ text: "a", callback_data: "b" }, {}]] },
        },
      },
    };
    expect(readUpdate(update)).toEqual({
      kind: "said",
      from: { id: "42", name: "Mia M", isBot: false },
      chat: { id: "42", type: "private" },
      text: "yes",
      replyTo: { message: 9, buttons: ["b"] },
      isForeign: false,
    });
  });
});
