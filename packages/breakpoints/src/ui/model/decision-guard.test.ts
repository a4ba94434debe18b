import { expect, test } from "vitest";
import {
  fitInBar,
  type Intent,
  isRejection,
  needsSecondStep,
  numberedOptions,
  whatIsMissing,
  wordsOf,
} from "./decision-guard.js";

const intent = (kind: Intent["kind"], more: Partial<Intent> = {}): Intent => ({ kind, text: "", ...more });
const yes = { label: "Yes", id: "y", rejects: false };
const no = { label: "Never", rejects: true };

test("B5 what is sent is what was meant: a rejection is never an approval", () => {
  expect(wordsOf(intent("approve", { text: "left over" }))).toEqual({ decision: "approve" });
  expect(wordsOf(intent("reject", { text: " why " }))).toEqual({ decision: "reject", feedback: "why" });
  expect(wordsOf(intent("words", { text: " blue " }))).toEqual({ decision: "approve", response: "blue" });
  expect(wordsOf(intent("option", { option: yes }))).toEqual({ decision: { option: "y" } });
  expect(wordsOf(intent("option", { option: no }))).toEqual({ decision: { option: "Never" } });
});

test("a rejection needs a reason, an answer needs words", () => {
  expect(whatIsMissing(intent("reject", { text: " \n" }))).toContain("why");
  expect(whatIsMissing(intent("words"))).toBeDefined();
  expect(whatIsMissing(intent("reject", { text: "x" }))).toBeUndefined();
  expect(whatIsMissing(intent("approve"))).toBeUndefined();
});

test("B2 a high risk is approved in a second step, in whichever way; rejecting it needs none", () => {
  const high = { risk: "high", needs: "session" as const };
  for (const one of [intent("approve"), intent("words"), intent("option", { option: yes })])
    expect(needsSecondStep(high, one)).toBe(true);
  for (const one of [intent("reject"), intent("option", { option: no })]) {
    expect(isRejection(one)).toBe(true);
    expect(needsSecondStep(high, one)).toBe(false);
  }
  expect(needsSecondStep({ risk: "low", needs: "session" }, intent("approve"))).toBe(false);
});

test("answers that reject come last, and are numbered as they stand", () => {
  expect(numberedOptions([no, yes]).map(({ choice, number }) => [choice.label, number])).toEqual([
    ["Yes", 1],
    ["Never", 2],
  ]);
});

test("only a few short answers stand beside each other", () => {
  expect(fitInBar([yes, no])).toBe(true);
  expect(fitInBar([yes, yes, yes, no])).toBe(false);
  expect(fitInBar([{ label: "x".repeat(60), rejects: false }])).toBe(false);
});
