import { describe, expect, it } from "vitest";
import type { QuestionRow } from "../wire/inbox-wire.js";
import { Feed } from "./feed.js";

const rowOf = (id: string): QuestionRow => ({ id }) as QuestionRow;

describe("what has changed", () => {
  it("is told to whoever listens, and what came after an event to whoever was away", () => {
    const feed = new Feed("e");
    const heard: string[] = [];
    const stop = feed.listen(({ id }) => heard.push(id));
    for (const id of ["a", "b", "c"]) feed.publish({ changed: [rowOf(id)], gone: [], open: 1 });
    stop();
    feed.publish({ changed: [], gone: ["a"], open: 0 });
    expect([heard, feed.position]).toEqual([["e.1", "e.2", "e.3"], "e.4"]);
    expect(feed.after("e.2")?.map(({ id }) => id)).toEqual(["e.3", "e.4"]);
    expect(feed.after("e.4")).toEqual([]);
    for (const lost of [undefined, "", "x.2", "e.5", "e.-1", "e.1.5e", "e", "e.99999999999999999999"])
      expect([lost, feed.after(lost)]).toEqual([lost, undefined]);
  });

  it("is kept for a while: whoever was away too long has to ask for everything", () => {
    const feed = new Feed("e");
    expect(feed.after("e.0")).toEqual([]);
    for (let n = 0; n < 1_001; n += 1) feed.publish({ changed: [rowOf(`${n}`)], gone: [], open: 1 });
    expect([feed.after("e.0"), feed.after("e.1")?.length]).toEqual([undefined, 1_000]);
    for (let n = 0; n < 10; n += 1) feed.publish({ changed: [rowOf("x".repeat(1024 * 1024))], gone: [], open: 1 });
    expect(feed.after("e.1000")).toBeUndefined();
    expect(feed.after(feed.position)).toEqual([]);
  });

  it("very much at once comes in pieces; nothing is no event", () => {
    const feed = new Feed("e");
    feed.publish({ changed: [], gone: [], open: 0 });
    expect(feed.position).toBe("e.0");
    feed.publish({ changed: Array.from({ length: 250 }, (_, n) => rowOf(`${n}`)), gone: ["z"], open: 250 });
    const sent = feed.after("e.0")?.map(({ data }) => JSON.parse(data) as { changed: unknown[]; gone: unknown[] });
    expect(sent?.map(({ changed, gone }) => [changed.length, gone.length])).toEqual([
      [100, 1],
      [100, 0],
      [50, 0],
    ]);
  });
});
