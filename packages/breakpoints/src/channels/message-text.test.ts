import { describe, expect, it } from "vitest";
import { HOSTILE, problemsIn } from "../../../../tests/fixtures/hostile-text.js";
import type { Outgoing } from "./channel.js";
import { bodyLines, closingLines, cutText, fittingText, headingOf, linksIn, PLAIN } from "./message-text.js";

const MESSAGE: Outgoing = {
  id: "m",
  kind: "questions",
  repeat: false,
  heading: "2 questions are waiting for you",
  subjects: ["question:a", "question:b"],
  items: [
    {
      subject: "question:a",
      title: "Deploy?",
      details: [{ name: "run", text: "deploy-7" }],
      link: "https://x.test/q/a",
    },
    { subject: "question:b", title: "Delete?", details: [], outcome: "Approved by mia" },
  ],
  lines: ["One more line"],
  link: "https://x.test/",
};

describe("a message as text", () => {
  it("has a block for each thing it is about", () => {
    expect([...bodyLines({ ...MESSAGE, repeat: true }, PLAIN), ...closingLines(MESSAGE, PLAIN)]).toEqual([
      "You may have received this before.",
      "",
      "Deploy?",
      "run: deploy-7",
      "https://x.test/q/a",
      "",
      "Delete?",
      "Approved by mia",
      "",
      "One more line",
      "https://x.test/",
    ]);
  });

  it("does not repeat the only link", () => {
    expect(closingLines({ ...MESSAGE, link: "https://x.test/q/a" }, PLAIN)).toEqual([]);
    expect(closingLines({ ...MESSAGE, items: [], link: undefined } as unknown as Outgoing, PLAIN)).toEqual([]);
  });

  it("keeps text of others to its own line, with nothing hidden in it", () => {
    const item = {
      subject: HOSTILE,
      title: HOSTILE,
      details: [{ name: "run" as const, text: HOSTILE }],
      outcome: HOSTILE,
    };
    const message = { ...MESSAGE, heading: HOSTILE, items: [item], lines: [HOSTILE] };
    const lines = [`> ${headingOf(message)}`, ...bodyLines(message, PLAIN).map((line) => `> ${line}`)];
    expect(lines.filter((line) => line !== "> ")).toHaveLength(5);
    expect(problemsIn(lines.join("\n"))).toEqual([]);
  });

  it("has words for what has none", () => {
    const item = { subject: "s", title: " \n", details: [] };
    expect([
      headingOf({ ...MESSAGE, heading: "" }),
      ...bodyLines({ ...MESSAGE, items: [item], lines: [] }, PLAIN),
    ]).toEqual(["A message from Babysitter", "(no title)"]);
  });
});

describe("links", () => {
  it.each([
    ["https://x.test/a?b=1&c", ["https://x.test/a?b=1&c"]],
    ["https://x.test/<@everyone>|(a)*_~`[", ["https://x.test/%3C@everyone%3E%7C%28a%29%2a%5f%7e%60%5b"]],
    ["javascript:alert(1)", []],
    ["no link", []],
    [undefined, []],
  ])("%s", (link, links) => {
    expect(linksIn(link).map((one) => one.toLowerCase())).toEqual(links.map((one) => one.toLowerCase()));
  });
});

describe("what does not fit", () => {
  const upTo = (limit: number) => (text: string) => Buffer.byteLength(text) <= limit;

  it("is left out from the end, with a mark, and the closing lines stay", () => {
    const lines = ["first", "second line", "third"];
    expect(fittingText(lines, ["https://x.test"], upTo(100))).toBe("first\nsecond line\nthird\nhttps://x.test");
    expect(fittingText(lines, ["https://x.test"], upTo(30))).toBe("first\nsecond…\nhttps://x.test");
    expect(fittingText(lines, [], upTo(9))).toBe("first\n…");
    expect(fittingText(lines, [], upTo(8))).toBe("first…");
  });

  it("is cut between whole characters", () => {
    const family = "👨‍👩‍👧‍👦";
    const text = `ab${family.repeat(9)}`;
    for (let limit = 3; limit < Buffer.byteLength(text); limit += 1) {
      const cut = cutText(text, upTo(limit));
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit);
      expect(cut.replaceAll(family, "")).toMatch(/^(?:ab?)?…$/u);
    }
  });
});
