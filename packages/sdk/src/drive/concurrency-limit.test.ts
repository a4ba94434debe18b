import { expect, test } from "vitest";
import { ConcurrencyLimit } from "./concurrency-limit.js";

test("the limit goes down to what there is room for, never below one, and comes back by one a minute", () => {
  let now = 0;
  const limit = new ConcurrencyLimit(20, () => now);
  expect(limit.value).toBe(20);
  limit.lower(3, "full");
  expect(limit.value).toBe(3);
  limit.lower(0, "full");
  expect(limit.value).toBe(1);
  now += 3 * 60_000;
  expect(limit.value).toBe(4);
  now += 60 * 60_000;
  expect(limit.value).toBe(20);
});

test("people are told when it goes down, not again at every attempt to come back", () => {
  const limit = new ConcurrencyLimit(20);
  expect(limit.lower(5, "no descriptor is free")).toBe(
    "At most 5 tasks run at once from now on, not 20: no descriptor is free",
  );
  expect([limit.lower(5, ""), limit.lower(6, "")]).toEqual([undefined, undefined]);
  expect(limit.lower(1, "full")).toBe("One task runs at a time from now on, not 20: full");
});
