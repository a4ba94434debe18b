import type { Timeline } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { firstLog, logEntries } from "./log-list.js";

type Ends = Timeline["spans"][number]["attempts"][number]["end"][];

function timeline(spans: Record<string, Ends>, isOver = false): Timeline {
  return {
    isOver,
    spans: Object.entries(spans).map(([id, ends], index) => ({
      id,
      title: `step ${id}`,
      seq: index + 1,
      attempts: ends.map((end, n) => ({ attempt: n + 1, from: 0, end })),
    })),
  } as unknown as Timeline;
}

function file(effectId: string, name: string, bytes = 5) {
  return { kind: "log" as const, path: `tasks/${effectId}/${name}.log`, bytes, modifiedAt: "", effectId };
}

const FILES = [
  file("a", "stderr"),
  file("a", "stdout"),
  file("b", "stderr"),
  file("b", "stdout"),
  file("b", "stdout.attempt-1"),
  { kind: "artifact" as const, path: "artifacts/stdout.log", bytes: 1, modifiedAt: "" },
];

describe("the logs of a run", () => {
  it("those that grow come first, then the steps in their order, each attempt by its number", () => {
    const entries = logEntries({ files: FILES }, timeline({ a: ["ok"], b: ["failed", "running"] }));
    expect(entries.map(({ title, stream, attempt, state }) => [title, stream, attempt, state])).toEqual([
      ["step b", "stdout", 2, "running"],
      ["step b", "stderr", 2, "running"],
      ["step a", "stdout", 1, "ok"],
      ["step a", "stderr", 1, "ok"],
      ["step b", "stdout", 1, "failed"],
    ]);
    expect(entries.map(({ isOneOfMany }) => isOneOfMany)).toEqual([true, true, false, false, true]);
    expect(firstLog(entries)).toMatchObject({ effectId: "b", state: "running" });
  });

  it("in a run that is over nothing grows, whatever was not recorded", () => {
    const entries = logEntries({ files: FILES }, timeline({ a: ["ok"], b: ["failed", "running"] }, true));
    expect(entries.some(({ state }) => state === "running")).toBe(false);
    expect(firstLog(entries)).toMatchObject({ path: "tasks/b/stdout.attempt-1.log" });
  });

  it("a log of a step that the journal does not know is there all the same", () => {
    expect(logEntries({ files: [file("x", "stdout")] }, undefined)).toMatchObject([{ title: "x", state: "unknown" }]);
    expect(firstLog(logEntries({ files: [file("x", "stdout", 0)] }, undefined))).toBeUndefined();
  });
});
