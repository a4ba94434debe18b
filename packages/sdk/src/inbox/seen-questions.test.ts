import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { SettableClock } from "../testing/index.js";
import { SeenQuestions } from "./seen-questions.js";

const START = Date.UTC(2026, 0, 20, 8);

describe("when questions were seen", () => {
  it("the first time counts, for every program, and after half a line", () => {
    const home = tempDir();
    const clock = new SettableClock(START);
    const seen = (): SeenQuestions => new SeenQuestions({ home, now: () => clock.now() });
    const log = path.join(home, "inbox", "seen.jsonl");
    expect(seen().all().size).toBe(0);
    const at = seen().note("a");
    clock.set(START + 1_000);
    expect([seen().note("a"), at]).toEqual([at, new Date(START).toISOString()]);
    fs.appendFileSync(log, 'nonsense\n{"type":"QUESTION_SEEN","at":1}\n{"type":"QUEST');
    seen().note("b");
    expect([...seen().all()]).toEqual([
      ["a", at],
      ["b", clock.now().toISOString()],
    ]);
    expect(fs.statSync(log).mode & 0o777).toBe(0o600);
  });

  it("a log that has grown long begins anew with the last ones, and the old one stays", () => {
    const home = tempDir();
    const seen = new SeenQuestions({ home, now: () => new Date(START) });
    seen.note("first");
    const log = path.join(home, "inbox", "seen.jsonl");
    const lines = Array.from({ length: 12_000 }, (_, n) => ({
      type: "QUESTION_SEEN",
      at: new Date(START).toISOString(),
      question: `effect-${String(n).padStart(20, "0")}`,
    }));
    fs.appendFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    seen.shorten();
    expect([seen.all().size, seen.all().has("first"), seen.all().has(lines.at(-1)?.question ?? "")]).toEqual([
      5_000,
      false,
      true,
    ]);
    expect(fs.readdirSync(path.dirname(log)).toSorted()).toEqual([`seen.${START}.jsonl`, "seen.jsonl"]);
  });
});
