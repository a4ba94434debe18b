import { expect, it } from "vitest";
import { shownCount, shownDuration, shownUsd } from "./shown-amounts.js";

it.each([
  [0, "0 ms"],
  [850.4, "850 ms"],
  [999.9, "1000 ms"],
  [1_000, "1.0 s"],
  [59_999, "59.9 s"],
  [60_000, "1 min"],
  [245_000, "4 min 5 s"],
  [3_599_999, "59 min 59 s"],
  [7_800_000, "2 h 10 min"],
  [86_400_000, "1 d"],
  [273_600_000, "3 d 4 h"],
  [-1, "unknown"],
  [Number.NaN, "unknown"],
])("%d ms are %s", (ms, words) => {
  expect(shownDuration(ms)).toBe(words);
});

it.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [1_234_567, "1,234,567"],
])("%d is written %s", (count, text) => {
  expect(shownCount(count)).toBe(text);
});

it.each([
  [0, "$0.00"],
  [0.0042, "$0.0042"],
  [0.01, "$0.01"],
  [12.345, "$12.35"],
])("%d dollars are %s", (usd, text) => {
  expect(shownUsd(usd)).toBe(text);
});
