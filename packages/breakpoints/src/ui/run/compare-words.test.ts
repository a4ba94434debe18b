import type { TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import type { WordPart } from "../model/word-parts.js";
import type { ComparedStep, StepSide } from "./compare-runs.js";
import { differenceNote, differenceSentence, titlesOf, uncomparedWords } from "./compare-words.js";

const NAMES = { left: "one", right: "two" };

function side(title: string, state: TimelineSpan["state"] = "ok"): StepSide {
  return { span: { title, state } as TimelineSpan, request: undefined, resolved: undefined };
}

function step(differs: ComparedStep["differs"], more: Partial<ComparedStep> = {}): ComparedStep {
  return { key: "a", left: side("Build"), right: side("Build"), differs, unknown: [], ...more };
}

function plain(parts: readonly WordPart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : "said" in part ? part.said : "?")).join("");
}

describe("in what two runs differ", () => {
  it.each<[string, string, ComparedStep]>([
    ["Its input changed.", "Input changed", step(["request"])],
    ["Its result changed.", "Result changed", step(["result"])],
    ["Its input and its result changed.", "Input and result changed", step(["request", "result"])],
    [
      "Its input changed; it succeeded in one and failed in two.",
      "Input changed, different outcome",
      step(["request", "state"], { right: side("Build", "error") }),
    ],
    [
      "It was approved in one and is unfinished in two.",
      "Different outcome",
      step(["state"], { left: side("Build", "approved"), right: side("Build", "open") }),
    ],
    ["It is only in one.", "Only in one", step(["missing"], { right: undefined })],
    ["It is only in two.", "Only in two", step(["missing"], { left: undefined })],
  ])("%s", (sentence, note, differing) => {
    expect(plain(differenceSentence(differing, 3, NAMES))).toBe(`step 3, Build. ${sentence}`);
    expect(plain(differenceNote(differing, NAMES))).toBe(note);
  });

  it("a step with two titles has both, and a long one is cut in the sentence only", () => {
    const renamed = step(["request"], { left: side("Publish 1."), right: side("Publish 2") });
    expect(titlesOf(renamed)).toEqual({ title: "Publish 1.", other: "Publish 2" });
    expect(plain(differenceSentence(renamed, 1, NAMES))).toMatch(/^step 1, Publish 1 \(in two: Publish 2\)\. Its/u);
    const long = step(["missing"], { left: side("x".repeat(500)), right: undefined });
    expect(titlesOf(long)).toEqual({ title: "x".repeat(500), other: undefined });
    expect(plain(differenceSentence(long, 1, NAMES))).toBe(`step 1, ${"x".repeat(80)}… It is only in one.`);
  });

  it("what could not be compared is not called the same", () => {
    const unknown = step([], { unknown: ["request", "result"] });
    expect(plain(differenceNote(unknown, NAMES))).toBe("Input and result not compared: too large");
    expect(differenceNote(step([]), NAMES)).toEqual([]);
    expect(uncomparedWords([unknown, step([])], undefined)).toBe("1 step could not be compared: too large.");
    expect(uncomparedWords([unknown, unknown, step(["request"]), unknown], 2)).toBe(
      "2 steps before it could not be compared: too large.",
    );
    expect(uncomparedWords([step(["request"]), unknown], 0)).toBeUndefined();
  });
});
