import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { asChatEntry, type ChatEntry, chatEntries, emptyChats, foldChats } from "./chat-state.js";
import { Chats } from "./chats.js";

const START = Date.UTC(2026, 0, 20, 8);
const DAY = 24 * 60 * 60_000;

test("B4: what a channel has to know about its chat outlives its program, and ends with the chat", () => {
  const home = tempDir();
  let now = START;
  const open = (): Chats => new Chats({ home, now: () => new Date(now) });
  open().remember("telegram", "message 1", { question: "a" });
  open().remember("telegram", "message 1", { question: "b" });
  open().remember("telegram", "__proto__", ["x"]);
  const chats = open();
  expect(chats.recall("telegram", "message 1")).toEqual({ question: "b" });
  expect(chats.recall("telegram", "__proto__")).toEqual(["x"]);
  expect([chats.recall("telegram", "message 2"), chats.recall("ntfy", "message 1")]).toEqual([undefined, undefined]);
  // A note is no button, and no button is a note.
  const tap = { channel: "telegram", user: "1", chat: "1" };
  chats.bind(chats.makeLink("telegram").link, { ...tap, name: "mia" });
  chats.remember("telegram", "a", { question: "c" });
  expect(chats.tapped({ ...tap, button: "a" })).toBeUndefined();
  expect(chats.recall("telegram", chats.offer("telegram", { about: {} }))).toBeUndefined();
  // Whoever is bound from now on has not seen those messages.
  expect(chats.recall("telegram", "message 1")).toBeUndefined();
  now += 91 * DAY;
  expect(chats.recall("telegram", "a")).toBeUndefined();
  now = START;
  chats.forget("telegram");
  expect(open().recall("telegram", "a")).toBeUndefined();
});

test("a log that begins anew keeps the notes that still count, and damaged ones never did", () => {
  const at = new Date(START).toISOString();
  const note = (name: string, days: number): ChatEntry => ({
    type: "NOTED",
    at,
    channel: "telegram",
    name,
    about: name,
    expires: new Date(START + days * DAY).toISOString(),
  });
  const state = emptyChats();
  for (const entry of [note("kept", 2), note("over", 1)])
    foldChats(state, asChatEntry(JSON.parse(JSON.stringify(entry))) as ChatEntry);
  expect(chatEntries(state, new Date(START + 1.5 * DAY))).toEqual([note("kept", 2)]);
  const { about: _, ...damaged } = note("x", 1) as ChatEntry & { type: "NOTED" };
  expect(asChatEntry({ ...damaged })).toBeUndefined();
  expect(asChatEntry({ ...damaged, about: null, name: 3 })).toBeUndefined();
});
