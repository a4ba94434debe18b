import { describe, expect, it } from "vitest";
import { cursorText } from "./query-parts.js";
import { parseRunQuery } from "./run-query.js";

describe("what a board is asked for", () => {
  it("without anything it is all of it", () => {
    expect(parseRunQuery({})).toEqual({ words: [], limit: 50 });
  });

  it("words in any case, names as they are, a day here, and a place to go on from", () => {
    const query = parseRunQuery({
      search: "  Two WORDS ",
      process: "x/Y",
      project: "/p",
      state: "failed",
      day: "2026-03-29",
      limit: "7",
      after: cursorText([1, 0, -5, "r"]),
    });
    expect(query).toMatchObject({ words: ["two", "words"], process: "x/Y", project: "/p", state: "failed", limit: 7 });
    expect(query.after).toEqual({ freshFrom: 1, key: [0, -5, "r"] });
    const { from = 0, to = 0 } = query.day ?? {};
    expect([new Date(from).toString().slice(0, 21), new Date(to).toString().slice(0, 21)]).toEqual([
      "Sun Mar 29 2026 00:00",
      "Mon Mar 30 2026 00:00",
    ]);
  });

  it.each<Record<string, string>>([
    { state: "open" },
    { state: "" },
    { state: "__proto__" },
    { process: "" },
    { project: "x".repeat(5_000) },
    { day: "today" },
    { day: "2026-02-30" },
    { day: "2026-13-01" },
    { day: "2026-1-1" },
    { day: "0000-01-01" },
    { search: "x".repeat(201) },
    { limit: "0" },
    { limit: "-1" },
    { limit: "1e3" },
    { after: "" },
    { after: "no cursor" },
    { after: cursorText([1, 2, "r"]) },
    { after: cursorText([1, 2, 0.5, "r"]) },
    { lane: "you" },
    { SEARCH: "x" },
  ])("what makes no sense is refused: %j", (given) => {
    expect(() => parseRunQuery(given)).toThrow(/^"\w+" must be /u);
  });
});
