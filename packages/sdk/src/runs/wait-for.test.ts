import { describe, expect, it } from "vitest";
import type { JournalEvent } from "../model/events.js";
import { createTestRun, type TestRun } from "../testing/index.js";
import { cancelRun } from "./cancel-run.js";
import { waitFor } from "./wait-for.js";

const asking = (): Promise<TestRun> =>
  createTestRun({ process: (_, ctx) => ctx.breakpoint({ question: "Go ahead?" }), runId: "waited-for" });

const isCancelled = (news: readonly JournalEvent[]): true | undefined =>
  news.some(({ type }) => type === "RUN_CANCELLED") || undefined;

describe("waitFor", () => {
  it("asks at the start, so that what is there already is not waited for", async () => {
    const journal = await (await asking()).journal();
    expect(await waitFor(journal, () => "there")).toBe("there");
  });

  it("hears what someone else appends, and is given exactly those events", async () => {
    const run = await asking();
    const seen: string[] = [];
    const waiting = waitFor(await run.journal(), (news) => {
      seen.push(...news.map(({ type }) => type));
      return isCancelled(news);
    });
    await cancelRun(await run.journal(), { reason: "enough" });
    expect(await waiting).toBe(true);
    expect(seen).toEqual(["RUN_CANCELLED"]);
  });

  it("misses nothing that is appended between the first look and the wait", async () => {
    const run = await asking();
    const other = await run.journal();
    let cancelled: Promise<unknown> | undefined;
    const answer = await waitFor(await run.journal(), (news) => {
      cancelled ??= cancelRun(other, {});
      return isCancelled(news);
    });
    await cancelled;
    expect(answer).toBe(true);
  });

  it("gives up when its time is over", async () => {
    const journal = await (await asking()).journal();
    expect(await waitFor(journal, () => undefined, { timeoutMs: 1 })).toBeUndefined();
  });

  it("looks again although nothing was appended, when it is told to", async () => {
    const journal = await (await asking()).journal();
    let looks = 0;
    const third = (): true | undefined => (++looks === 3 ? true : undefined);
    expect(await waitFor(journal, third, { lookAgainMs: () => 1 })).toBe(true);
  });

  it("ends with the reason of its signal", async () => {
    const journal = await (await asking()).journal();
    const stop = new AbortController();
    const waiting = waitFor(journal, () => undefined, { signal: stop.signal });
    stop.abort(new Error("the driver was stopped"));
    await expect(waiting).rejects.toThrow("the driver was stopped");
  });
});
