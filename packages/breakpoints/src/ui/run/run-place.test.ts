import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseRoute, runAddress } from "../model/routes.js";
import type { RunSource } from "../model/run-source.js";
import { RunData } from "./run-data.js";
import { RunMoves } from "./run-place.js";

describe("moving through a run", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function scene() {
    const data = new RunData({} as RunSource);
    data.total.value = 20;
    const went: unknown[] = [];
    return { data, went, moves: new RunMoves(data, (place, how) => void went.push([place, how])) };
  }

  it("the page follows at once, the address when the mover rests", () => {
    const { data, went, moves } = scene();
    for (const seq of [7, 8, 9]) moves.travel(seq);
    moves.select(3);
    expect([data.at.value, data.selected.value, went]).toEqual([9, 3, []]);
    vi.runAllTimers();
    expect(went).toEqual([[{ at: 9, event: 3 }, { replace: true }]]);
  });

  it("after the last event is now, and there is nothing before the first one", () => {
    const { data, moves } = scene();
    moves.travelBy(-1);
    expect(data.at.value).toBe(19);
    moves.travelBy(1);
    expect(data.at.value).toBeUndefined();
    moves.travel(-5);
    expect(data.at.value).toBe(1);
  });

  it("another part keeps the place, and is one to go back from", () => {
    const { data, went, moves } = scene();
    moves.travel(4);
    moves.show("logs", 6);
    vi.runAllTimers();
    expect([data.selected.value, went]).toEqual([6, [[{ part: "logs", at: 4, event: 6 }, undefined]]]);
  });

  it("goes to the neighbour that the list knows, and nowhere without a list", () => {
    const { data, moves } = scene();
    moves.selectBy(1);
    expect(data.selected.value).toBeUndefined();
    moves.neighbour = (seq, by) => (seq ?? 10) + by;
    moves.selectBy(1);
    moves.selectBy(1);
    expect(data.selected.value).toBe(12);
  });

  it("the address says the place, and leads back to it", () => {
    const address = runAddress("a b", { part: "events", at: 4, event: 6 });
    expect(address).toBe("/runs/a%20b?part=events&at=4&event=6");
    const [path = "", query] = address.split("?");
    expect(parseRoute(path, query)).toEqual({ screen: "run", id: "a b", part: "events", at: 4, event: 6 });
    expect(parseRoute("/runs/a", "at=0&event=-3&part=none")).toEqual({ screen: "run", id: "a", part: "steps" });
  });
});
