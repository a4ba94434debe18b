import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LiveEvents } from "../wire/inbox-wire.js";
import type { RunRow } from "../wire/run-wire.js";
import { RunNews } from "./run-news.js";

const row = (id: string, events: number): RunRow => ({ id, events }) as RunRow;

describe("news of runs", () => {
  const told: LiveEvents["runs"][] = [];
  const news = new RunNews((event) => void told.push(event));
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("the first is told at once, then a few times a second how each run stands by then", () => {
    for (let n = 1; n <= 100; n += 1) {
      news.add({ changed: [row("busy", n)], gone: [] });
      vi.advanceTimersByTime(10);
    }
    news.add({ changed: [row("other", 1)], gone: ["old"] });
    news.add({ changed: [], gone: [] });
    vi.advanceTimersByTime(1_000);
    expect([told.length, told[0]]).toEqual([6, { changed: [row("busy", 1)], gone: [] }]);
    expect(told.slice(-2)).toEqual([
      { changed: [row("busy", 100)], gone: [] },
      { changed: [row("other", 1)], gone: ["old"] },
    ]);
    news.add({ changed: [row("busy", 101)], gone: [] });
    news.add({ changed: [row("busy", 102)], gone: [] });
    news.add({ changed: [], gone: ["busy"] });
    vi.advanceTimersByTime(1_000);
    expect(told.at(-1)).toEqual({ changed: [], gone: ["busy"] });
    const before = told.length;
    news.add({ changed: [row("busy", 1)], gone: [] });
    news.add({ changed: [row("busy", 2)], gone: [] });
    news.close();
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveLength(before + 1);
  });
});
