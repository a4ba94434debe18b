import { expect, test } from "vitest";
import { parseSince } from "./report-query.js";

const NOW = new Date("2026-03-02T07:00:00.000Z");

test("B9: a report is about the last day, or since a time that was named", () => {
  expect(parseSince(undefined, NOW).toISOString()).toBe("2026-03-01T07:00:00.000Z");
  expect(parseSince("2026-03-01T18:00:00Z", NOW).toISOString()).toBe("2026-03-01T18:00:00.000Z");
  expect(parseSince("2026-03-01T20:00:00.000+02:00", NOW).toISOString()).toBe("2026-03-01T18:00:00.000Z");
  expect(parseSince("2026-03-02T07:00:30Z", NOW).toISOString()).toBe("2026-03-02T07:00:30.000Z");
});

test.each([
  "",
  "yesterday",
  "2026-03-01",
  "1e9",
  "2025-03-01T00:00:00Z",
  "2027-01-01T00:00:00Z",
  "2026-13-45T00:00:00Z",
])("B9: no report since %j", (text) => {
  expect(() => parseSince(text, NOW)).toThrow('"since" must be a time of the last 92 days');
});
