import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { Chats } from "./chats.js";

class Scene {
  readonly home = tempDir();
  now = new Date("2026-01-20T08:00:00.000Z");
  readonly chats = this.open();

  /** As another program would. */
  open(): Chats {
    return new Chats({ home: this.home, now: () => this.now });
  }

  later(minutes: number): void {
    this.now = new Date(this.now.getTime() + minutes * 60_000);
  }
}

const MIA = { channel: "telegram", user: "7", chat: "70", name: "Mia" };
const EVE = { channel: "telegram", user: "8", chat: "80", name: "Eve" };

describe("the chats of a person", () => {
  it("B4: a link binds one chat, once, within ten minutes, in its own channel", () => {
    const scene = new Scene();
    const { link } = scene.chats.makeLink("telegram");
    expect(scene.chats.bind(link, { ...MIA, channel: "other" })).toBe(false);
    expect(scene.chats.bind(`${link}x`, MIA)).toBe(false);
    expect(scene.chats.bind(link, MIA)).toBe(true);
    expect(scene.chats.bind(link, EVE)).toBe(false);
    expect(scene.chats.bound("telegram")).toMatchObject({ user: "7", chat: "70", name: "Mia" });
    const { link: late } = scene.chats.makeLink("telegram");
    scene.later(11);
    expect([scene.chats.bind(late, EVE), scene.chats.bound("telegram")?.name]).toEqual([false, "Mia"]);
    const { link: ahead } = scene.chats.makeLink("telegram");
    scene.later(-60);
    expect(scene.chats.bind(ahead, EVE)).toBe(false);
    expect(fs.readFileSync(path.join(scene.home, "inbox", "chats.jsonl"), "utf8")).not.toContain(link);
  });

  it("B4: of two that show the same link at once, one is bound", () => {
    const scene = new Scene();
    const { link } = scene.chats.makeLink("telegram");
    const [one, other] = [scene.open(), scene.open()];
    // Both have looked before either has written.
    expect([one.bound("telegram"), other.bound("telegram")]).toEqual([undefined, undefined]);
    expect([one.bind(link, MIA), other.bind(link, EVE)]).toEqual([true, false]);
    expect(scene.chats.bound("telegram")?.name).toBe("Mia");
  });

  it("B4: a button counts from the bound chat alone, and not after somebody else was bound or all was forgotten", () => {
    const scene = new Scene();
    const { chats } = scene;
    chats.bind(chats.makeLink("telegram").link, MIA);
    const button = chats.offer("telegram", { challenge: "yes", about: { id: 1 } });
    const tap = { channel: "telegram", user: "7", chat: "70", button };
    expect(chats.tapped(tap)).toEqual({ challenge: "yes", second: false, about: { id: 1 }, name: "Mia" });
    for (const wrong of [{ user: "8" }, { chat: "80" }, { channel: "ntfy" }, { button: `${button}x` }, { button: "" }])
      expect([wrong, chats.tapped({ ...tap, ...wrong })]).toEqual([wrong, undefined]);
    chats.bind(chats.makeLink("telegram").link, MIA);
    expect(chats.tapped(tap)?.challenge).toBe("yes");
    chats.bind(chats.makeLink("telegram").link, EVE);
    expect(chats.tapped({ ...tap, user: "8", chat: "80" })).toBeUndefined();
    chats.bind(chats.makeLink("telegram").link, MIA);
    expect(chats.tapped(tap)).toBeUndefined();
    const next = chats.offer("telegram", { challenge: "no", about: null });
    const { link } = chats.makeLink("telegram");
    chats.forget("telegram");
    expect([chats.tapped({ ...tap, button: next }), chats.bound("telegram"), chats.bind(link, MIA)]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });

  it("B4: a button is the second one only after another for the same decision", () => {
    const { chats } = new Scene();
    chats.bind(chats.makeLink("telegram").link, MIA);
    const from = { channel: "telegram", user: "7", chat: "70" };
    const first = { ...from, button: chats.offer("telegram", { challenge: "yes", about: 0 }) };
    const second = chats.offer("telegram", { challenge: "yes", about: 0, after: first });
    const other = chats.offer("telegram", { challenge: "no", about: 0, after: first });
    const empty = { ...from, button: chats.offer("telegram", { about: 0 }) };
    const afterEmpty = chats.offer("telegram", { about: 0, after: empty });
    const isSecond = (button: string): unknown => chats.tapped({ ...from, button })?.second;
    expect([second, other, afterEmpty, first.button].map(isSecond)).toEqual([true, false, false, false]);
  });

  it("a log that begins anew, and one with damaged lines, keep what counts", () => {
    const scene = new Scene();
    const { chats } = scene;
    chats.bind(chats.makeLink("telegram").link, MIA);
    const button = chats.offer("telegram", { challenge: "yes", about: [1] });
    const { link } = chats.makeLink("ntfy");
    const file = path.join(scene.home, "inbox", "chats.jsonl");
    const junk = [
      "",
      "{",
      "[]",
      '"x"',
      '{"type":"CHAT_BOUND"}',
      '{"type":"OFFERED","at":"","channel":"telegram"}',
      "\0".repeat(2 ** 20),
      '{"half"',
    ];
    fs.appendFileSync(file, junk.join("\n"));
    scene.open().shorten();
    expect(fs.statSync(file).size).toBeLessThan(2_000);
    const again = scene.open();
    expect(again.tapped({ channel: "telegram", user: "7", chat: "70", button })).toMatchObject({
      challenge: "yes",
      about: [1],
    });
    expect(again.bind(link, { ...EVE, channel: "ntfy" })).toBe(true);
  });
});
