import { expect, test } from "vitest";
import { sinceWhen, windowNamed } from "./report-window.js";

const at = (day: number, hour: number): Date => new Date(2026, 2, day, hour, 30);

test("B9: in the morning a report begins in the evening before, and in the evening too", () => {
  const evening = (day: number): Date => new Date(2026, 2, day, 18);
  expect(sinceWhen("evening", at(2, 7))).toEqual(evening(1));
  expect(sinceWhen("evening", at(2, 15))).toEqual(evening(1));
  expect(sinceWhen("evening", at(2, 20))).toEqual(evening(1));
  expect(sinceWhen("evening", at(2, 23))).toEqual(evening(2));
});

test("B9: a day and a week are counted back from now", () => {
  const now = at(9, 7);
  expect(now.getTime() - sinceWhen("day", now).getTime()).toBe(24 * 3_600_000);
  expect(now.getTime() - sinceWhen("week", now).getTime()).toBe(7 * 24 * 3_600_000);
});

test("an address that names no time means the usual one", () => {
  expect(["week", "day", "evening", "year", null].map(windowNamed)).toEqual([
    "week",
    "day",
    "evening",
    "evening",
    "evening",
  ]);
});
