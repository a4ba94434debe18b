import { type JournalEvent, timelineOf } from "@a5c-ai/babysitter-sdk/view";
import { expect, it } from "vitest";
import type { RunDetail } from "../../wire/run-wire.js";
import { factsOf, type RunFacts } from "./compare-facts.js";

function run(state: string, { error = null, loop = null }: Partial<Pick<RunDetail, "error" | "loop">> = {}): RunFacts {
  const payload = { processId: "p", entry: { path: "p.mjs", export: "process" } };
  const created = { type: "RUN_CREATED", seq: 1, timestamp: "2026-11-17T00:00:00Z", payload };
  return {
    detail: { process: "p", state, error, loop, drivenBy: null, agent: false } as RunDetail,
    state: undefined,
    timeline: timelineOf([created as unknown as JournalEvent], new Date("2026-11-17T00:01:00Z")),
    events: 1_234,
  };
}

it("tells which facts of two runs differ", () => {
  const spend = { usd: null, knownUsd: 2, tokens: 5 };
  const failed = run("failed", { error: { message: "no" }, loop: { spend } as RunDetail["loop"] });
  const facts = factsOf(run("completed"), failed);
  const differing = facts.filter(({ isSame }) => !isSame);
  expect(differing.map(({ name, left, right }) => [name, left, right])).toEqual([
    [
      "State",
      { states: [expect.objectContaining({ word: "Completed" })] },
      { states: [expect.objectContaining({ word: "Failed", tone: "bad" })] },
    ],
    ["Error", "–", { said: "no" }],
    ["Cost", "–", expect.stringMatching(/^unknown, at least \$2/u)],
  ]);
  expect(facts.find(({ name }) => name === "Events")).toMatchObject({ left: "1,234", isSame: true });
});
