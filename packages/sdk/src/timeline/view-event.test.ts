import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { eventsOf } from "../../../../tests/fixtures/stored-events.js";
import type { JournalEvent } from "../model/events.js";
import { type RunSummary, statusOf } from "../model/run-state.js";
import { stateAfter } from "../model/state-after.js";
import { timelineOf } from "./timeline.js";
import { viewEvent } from "./view-event.js";

const HISTORIES = path.join(import.meta.dirname, "../../../../tests/histories");
const recorded = fs
  .readdirSync(HISTORIES)
  .filter((name) => name.startsWith("semantics-"))
  .flatMap((folder) => fs.readdirSync(path.join(HISTORIES, folder)).map((name) => path.join(HISTORIES, folder, name)))
  .filter((dir) => fs.existsSync(path.join(dir, "journal")));

/** What a page shows of a state. */
function shown(state: RunSummary | undefined): unknown {
  if (state === undefined) return undefined;
  const { head, pending, counts, iterations, completed, loop } = state;
  return {
    status: statusOf(state),
    seq: head.seq,
    pending: Object.values(pending).map(({ effectId, kind, title, attempt, started }) => [
      effectId,
      kind,
      title,
      attempt,
      started?.at,
    ]),
    counts,
    iterations,
    completed: completed?.completionProof,
    loop: loop && { iteration: loop.iteration, criteria: loop.results, spend: loop.spend },
  };
}

describe("events as pages get them", () => {
  it.each(recorded.map((dir) => [path.relative(HISTORIES, dir), dir]))(
    "%s: however short values become, every prefix folds to the same state, and the picture is the same",
    (_, dir) => {
      const events = eventsOf(dir) as unknown as JournalEvent[];
      const short = events.map((event) => viewEvent(event, 0));
      for (let seq = 1; seq <= events.length; seq += 1)
        expect(shown(stateAfter(short, seq))).toEqual(shown(stateAfter(events, seq)));
      const now = new Date("2027-01-01T00:00:00Z");
      expect(timelineOf(short, now)).toEqual(timelineOf(events, now));
      expect(JSON.stringify(short).length).toBeLessThan(JSON.stringify(events).length);
    },
  );

  it("a long value is told by its size, a short one is kept, and a decision is never lost", () => {
    const event = (value: unknown): JournalEvent =>
      ({ type: "EFFECT_RESOLVED", payload: { status: "ok", result: { value } } }) as unknown as JournalEvent;
    const long = "x".repeat(3_000);
    const results = [long, "ü".repeat(1_500), "short", { approved: true, feedback: long }].map(
      (value) => (viewEvent(event(value)).payload as unknown as { result: unknown }).result,
    );
    expect(results).toEqual([
      { blob: "", bytes: 3_002 },
      { blob: "", bytes: 3_002 },
      { value: "short" },
      { value: { approved: true }, bytes: expect.any(Number) as number },
    ]);
  });
});
