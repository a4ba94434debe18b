import { describe, expect, it } from "vitest";
import { Pace } from "./pace.js";
import { RunQueue } from "./run-queue.js";

describe("reading runs one after the other", () => {
  it("each once, those that somebody waits for first, and none at the same time as another", async () => {
    const queue = new RunQueue((error) => {
      throw error;
    });
    const done: string[] = [];
    let atOnce = 0;
    const work = (name: string) => async (): Promise<void> => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await Promise.resolve();
      done.push(name);
      atOnce -= 1;
    };
    for (const name of ["a", "b", "a", "c", "b"]) void queue.add(name, work(name));
    await queue.add("c", work("c"), { urgent: true });
    expect(done).toEqual(["c"]);
    await queue.drained();
    expect(done).toEqual(["c", "a", "b"]);
  });

  it("an error is told and stops nobody; what waits at the end is let go", async () => {
    const errors: unknown[] = [];
    const queue = new RunQueue((error) => errors.push(error));
    await queue.add("a", () => Promise.reject(new Error("no")));
    let isRead = false;
    await queue.add("b", async () => void (isRead = true));
    expect([errors.length, isRead]).toEqual([1, true]);
    const waiting = [queue.add("c", () => Promise.resolve()), queue.add("d", () => Promise.resolve())];
    await queue.close();
    await Promise.all(waiting);
    await queue.add("e", () => Promise.reject(new Error("too late")));
    expect(errors).toHaveLength(1);
  });

  it("what comes too often happens once more when the pause is over", async () => {
    const pace = new Pace(20);
    let count = 0;
    const second = new Promise<void>((resolve) => {
      for (let n = 0; n < 10; n += 1)
        pace.call("a", () => {
          count += 1;
          if (count === 2) resolve();
        });
    });
    expect(count).toBe(1);
    await second;
    pace.call("a", () => void (count += 1));
    pace.close();
    expect(count).toBe(2);
  });
});
