import { describe, expect, it } from "vitest";
import type { Json } from "../model/json.js";
import { findAnswer } from "./json-in-text.js";

/** The value that is most likely meant when JSON is expected. */
function found(text: string): Json | undefined {
  const answer = findAnswer(text, true);
  return answer.kind === "json" ? answer.candidates[0] : undefined;
}

describe("a long text", () => {
  it("is searched in one go, whatever it is", { timeout: 60_000 }, () => {
    const patterns = [
      "[",
      "{",
      '[",',
      '{"a":',
      '["',
      '"[\\"',
      "[[]",
      "[1,",
      '[" [\\" ',
      "```json\n[\n",
      "\u001B",
      "x",
      "\n",
    ];
    patterns.push(" ", '{"a":"', "[1]\n", '"', "\\", '[{"":', "\u001B]", "`", '["[', '[""', "[]]");
    const long = (pattern: string, size: number): string => `go ${pattern.repeat(Math.floor(size / pattern.length))}`;
    for (const pattern of patterns) {
      const text = `${long(pattern, 500_000)}\n\n{"a":1}`;
      expect(found(text)).toEqual({ a: 1 });
      expect(findAnswer(text, false)).toMatchObject({ candidates: [{ a: 1 }] });
    }
    expect(found(`${long('["[', 10_000_000)}\n\n{"a":1}`)).toEqual({ a: 1 });
  });
});
