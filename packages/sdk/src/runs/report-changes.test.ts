import { describe, expect, it } from "vitest";
import { type ComparedRow, turnedRuns } from "./report-changes.js";

const row = (runId: string, outcome: ComparedRow["outcome"], at: string): ComparedRow => ({
  runId,
  processId: "p",
  outcome,
  at,
});

describe("what changed sides", () => {
  it("B9: of runs that ended at the same moment the same one counts, in whatever order they are read", () => {
    const now = [row("c", "failed", "2026-03-02T09:00:00.000Z")];
    const before = [row("a", "failed", "2026-03-01T09:00:00.000Z"), row("b", "proof", "2026-03-01T09:00:00.000Z")];
    const turned = turnedRuns(now, before);
    expect(turned).toEqual(turnedRuns(now, before.toReversed()));
    expect(turned.broken).toMatchObject([{ runId: "c", before: "b", was: "proof" }]);
  });
});
