import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { describe, expect, it } from "vitest";
import { heldBack } from "./held-back.js";

const queued = (due: string): notices.Receipt => ({
  channel: "ntfy",
  state: "queued",
  at: "2026-01-10T20:00:00Z",
  due,
  reminders: 0,
  repeated: false,
});

interface Night {
  hours?: string | null;
  at?: string;
  timeZone?: string;
}

function held(due: string, { hours = "22:00-07:00", at = due, timeZone = "UTC" }: Night = {}): unknown {
  const { due: until, why } = heldBack(queued(due), { quietHours: hours, now: new Date(at), timeZone });
  return why === undefined ? until : [until, why];
}

describe("a notification that waits", () => {
  it("B9: for the end of the quiet hours says until when", () => {
    const morning = ["2026-01-11T07:00:00.000Z", "quiet hours"];
    expect(held("2026-01-10T22:00:30Z")).toEqual(morning);
    expect(held("2026-01-11T06:59:59Z")).toEqual(morning);
    expect(held("2026-01-10T12:30:00Z", { hours: "12:00-14:00" })).toEqual(["2026-01-10T14:00:00.000Z", "quiet hours"]);
    expect(held("2026-01-10T21:00:00Z", { timeZone: "Europe/Berlin" })).toEqual([
      "2026-01-11T06:00:00.000Z",
      "quiet hours",
    ]);
  });

  it("B9: counts from now where it was due before", () => {
    expect(held("2026-01-10T21:00:00Z", { at: "2026-01-11T03:00:00Z" })).toEqual([
      "2026-01-11T07:00:00.000Z",
      "quiet hours",
    ]);
    expect(held("2026-01-10T23:00:00Z", { at: "2026-01-11T08:00:00Z" })).toBe("2026-01-10T23:00:00Z");
  });

  it("outside of them, or where there are none, is sent when it is due", () => {
    for (const due of ["2026-01-10T21:59:00Z", "2026-01-11T07:00:00Z"]) expect(held(due)).toBe(due);
    for (const hours of [null, "", "x-y", "07:00-07:00"])
      expect(held("2026-01-10T23:00:00Z", { hours })).toBe("2026-01-10T23:00:00Z");
    expect(held("never", { at: "2026-01-10T12:00:00Z" })).toBe("never");
  });

  it("goes by the clock on the wall in a night when the clocks are changed", () => {
    const timeZone = "Europe/Berlin";
    expect(held("2026-03-28T22:00:00Z", { timeZone })).toEqual(["2026-03-29T05:00:00.000Z", "quiet hours"]);
    expect(held("2026-10-24T21:00:00Z", { timeZone })).toEqual(["2026-10-25T06:00:00.000Z", "quiet hours"]);
  });

  it("is left alone once it was sent", () => {
    const sent: notices.Receipt = { ...queued("2026-01-10T23:00:00Z"), state: "accepted" };
    expect(heldBack(sent, { quietHours: "22:00-07:00", now: new Date("2026-01-10T23:00:00Z") })).toBe(sent);
  });
});
