import { describe, expect, it } from "vitest";
import { dueReport, isDue, isOver, isQuiet, localTime } from "./notify-times.js";

const BERLIN = "Europe/Berlin";
const time = (text: string): Date => new Date(text);

describe("local time", () => {
  it("is that of the person, in summer and winter", () => {
    expect(localTime(time("2026-07-01T22:30:00Z"), BERLIN)).toEqual({ day: "2026-07-02", minutes: 30 });
    expect(localTime(time("2026-01-01T22:59:00Z"), BERLIN)).toEqual({ day: "2026-01-01", minutes: 23 * 60 + 59 });
    expect(localTime(time("2026-01-01T23:00:00Z"), BERLIN)).toEqual({ day: "2026-01-02", minutes: 0 });
    expect(localTime(time("2026-01-01T05:15:00Z"), "Asia/Kathmandu")).toEqual({ day: "2026-01-01", minutes: 11 * 60 });
  });
});

describe("quiet hours", () => {
  const at = (hours: string | null, ...clocks: string[]): boolean[] =>
    clocks.map((clock) => {
      const [hour = 0, minute = 0] = clock.split(":").map(Number);
      return isQuiet(hours, { day: "", minutes: hour * 60 + minute });
    });

  it.each([
    ["22:00-07:00", { "21:59": false, "22:00": true, "00:00": true, "06:59": true, "07:00": false }],
    ["12:00-13:30", { "11:59": false, "12:00": true, "13:29": true, "13:30": false, "00:00": false }],
    ["00:00-06:00", { "00:00": true, "05:59": true, "06:00": false, "23:59": false }],
    ["09:00-09:00", { "08:59": false, "09:00": false, "09:01": false }],
    ["nonsense", { "00:00": false }],
    [null, { "00:00": false }],
  ])("%s", (hours, clocks) => {
    expect(at(hours, ...Object.keys(clocks))).toEqual(Object.values(clocks));
  });

  it("end when the clock on the wall says so, whatever was done to it in the night", () => {
    const quiet = (text: string): boolean => isQuiet("22:00-07:00", localTime(time(text), BERLIN));
    // Spring: from 02:00 to 03:00. Autumn: from 03:00 back to 02:00.
    expect([quiet("2026-03-29T04:59:00Z"), quiet("2026-03-29T05:00:00Z")]).toEqual([true, false]);
    expect([quiet("2026-10-25T05:59:00Z"), quiet("2026-10-25T06:00:00Z")]).toEqual([true, false]);
  });
});

describe("the day of a report", () => {
  it("is due for four hours, and belongs to the day of its time", () => {
    const day = (text: string, at = "07:00"): string | undefined => dueReport(at, time(text), "UTC")?.day;
    expect(["06:59", "07:00", "10:59", "11:00"].map((clock) => day(`2026-01-20T${clock}:00Z`))).toEqual([
      undefined,
      "2026-01-20",
      "2026-01-20",
      undefined,
    ]);
    expect([day("2026-01-01T00:30:00Z", "23:00"), day("2026-01-01T23:00:00Z", "23:00")]).toEqual([
      "2025-12-31",
      "2026-01-01",
    ]);
    expect([day("2026-01-01T07:00:00Z", "off"), day("2026-01-01T07:00:00Z", "7")]).toEqual([undefined, undefined]);
  });

  it("is one day where the clock is changed at its time", () => {
    const days = (at: string, from: string, hours: number): string[] => {
      const found = new Set<string>();
      for (let minute = 0; minute < hours * 60; minute += 5) {
        const due = dueReport(at, new Date(Date.parse(from) + minute * 60_000), BERLIN);
        if (due !== undefined) found.add(due.day);
      }
      return [...found];
    };
    expect(days("02:30", "2026-03-28T23:00:00Z", 12)).toEqual(["2026-03-29"]);
    expect(days("00:30", "2026-03-28T23:00:00Z", 12)).toEqual(["2026-03-29"]);
    expect(days("02:30", "2026-10-24T22:00:00Z", 12)).toEqual(["2026-10-25"]);
  });
});

describe("waiting", () => {
  const now = time("2026-01-20T08:00:00Z");

  it("ends at its time, and at once when it began in a time that is yet to come", () => {
    const due = (since: string, until: string): boolean => isDue({ since, due: until }, now);
    expect(due("2026-01-20T07:59:00Z", "2026-01-20T08:00:00Z")).toBe(true);
    expect(due("2026-01-20T07:59:00Z", "2026-01-20T08:00:01Z")).toBe(false);
    expect(due("2026-01-20T08:00:59Z", "2026-01-20T08:01:59Z")).toBe(false);
    expect(due("2026-01-21T08:00:00Z", "2026-01-21T08:01:00Z")).toBe(true);
    expect(due("nonsense", "2026-01-20T09:00:00Z")).toBe(false);
    expect(due("2026-01-20T07:59:00Z", "nonsense")).toBe(true);
    expect([59_999, 60_000, 60_001].map((ms) => isOver({ since: "2026-01-20T07:59:00Z", ms }, now))).toEqual([
      true,
      true,
      false,
    ]);
    expect([isOver({ since: "2026-01-21T00:00:00Z", ms: 1e9 }, now), isOver({ since: "", ms: 1e9 }, now)]).toEqual([
      true,
      true,
    ]);
  });
});
